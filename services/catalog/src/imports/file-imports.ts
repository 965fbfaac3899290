import type { UploadRef } from '@cds/contracts';
import type { ImportWanted, Progress } from './import-batches.js';
import { type ImportFile, importFile } from './import-file.js';
import type { Importer, ImportReport } from './importer.js';

export type FileImports = {
  run(file: Pick<UploadRef, 'id' | 'type'>, wanted: ImportWanted, progress: Progress): Promise<ImportReport>;
};

export const importsHere = (
  importer: Importer,
  uploads: { text: (id: string) => ReturnType<ImportFile['text']> },
): FileImports => ({
  run: ({ id, type }, wanted, progress) =>
    importFile(importer, { type, text: () => uploads.text(id) }, wanted, progress),
});
