/** What an operator can do about an address that cannot be listened on, by the code of the error. */
const REMEDIES = new Map([
  ['EADDRINUSE', 'another process does; end that one, or set another port'],
  ['EACCES', 'its user may not; set a port of 1024 or more'],
  ['EADDRNOTAVAIL', 'this machine has no such address; set one that it has'],
]);

/** Listens at CDS_HTTP_HOST and _PORT, or CDS_OPS_HOST and _PORT. If that fails, the error names these variables. */
export const startListening = async (
  name: 'HTTP' | 'OPS',
  at: { host: string; port: number },
  listen: (at: { host: string; port: number }) => Promise<unknown>,
): Promise<void> => {
  try {
    await listen(at);
  } catch (error) {
    const remedy = error instanceof Error && 'code' in error ? REMEDIES.get(String(error.code)) : undefined;
    if (remedy === undefined) throw error;
    throw new Error(
      `CDS_${name}_HOST=${at.host} CDS_${name}_PORT=${at.port}: the process cannot listen there, because ${remedy}.`,
    );
  }
};
