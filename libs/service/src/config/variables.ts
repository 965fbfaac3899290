import { z } from 'zod';

/** A variable of a process's environment, which has a `fallback` or is required; `values` are all it may have. */
export type Variable = {
  name: string;
  required: boolean;
  fallback: string | null;
  values: readonly string[] | null;
  description: string;
  secret: boolean;
};

export const variablesOf = ({ shape }: z.ZodObject): readonly Variable[] =>
  Object.entries(shape).map(([name, field]) => {
    const schema = field as z.ZodType;
    const required = !z.safeParse(schema, undefined).success;
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return {
      name,
      required,
      fallback: required ? null : String(json.default ?? ''),
      values: (json.enum as readonly string[] | undefined) ?? null,
      description: schema.description ?? '',
      secret: schema.meta()?.['secret'] === true,
    };
  });

export const secret = <T extends z.ZodType>(schema: T): T => schema.meta({ ...schema.meta(), secret: true }) as T;
