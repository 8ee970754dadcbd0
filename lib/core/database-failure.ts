/** What a failure of the database client means to a caller. */
export type DatabaseFailure = 'unavailable' | 'conflict' | 'invalid' | null;

/** Codes of Prisma, PostgreSQL and Node for a server that is down, starting, overloaded or too slow. */
const unavailable = new Set([
  'P1000', 'P1001', 'P1002', 'P1008', 'P1010', 'P1011', 'P1017', 'P2024', 'P2028', 'P2037',
  '08000', '08001', '08003', '08004', '08006', '53300', '55P03', '57014', '57P01', '57P02', '57P03',
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH',
]); // prettier-ignore

/** A unique violation by a concurrent write, a deadlock or a failed serialization. */
const conflict = new Set(['P2002', 'P2034', '23505', '40001', '40P01']);

/** A value the column cannot hold, which validation let through. */
const invalid = new Set(['P2000', 'P2020', '22003', '22021', '22P02', '22P05']);

/** What the driver says without a code: of a wait that ended, and of a connection that broke under a transaction. */
const broken =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|is not queryable|Can't reach database/;

/** Classifies an error without knowing the client's classes: by the codes on it and on its causes. */
export function databaseFailure(error: unknown): DatabaseFailure {
  for (const { code, message } of chainOf(error)) {
    if (unavailable.has(code) || broken.test(message)) return 'unavailable';
    if (conflict.has(code)) return 'conflict';
    if (invalid.has(code)) return 'invalid';
  }
  return null;
}

/** The error, what its client wrapped, and its causes; at most six deep. */
function chainOf(error: unknown): { code: string; message: string }[] {
  const chain: { code: string; message: string }[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && chain.length < 6) {
    const next = queue.shift();
    if (typeof next !== 'object' || next === null) continue;
    const message = 'message' in next && typeof next.message === 'string' ? next.message : '';
    for (const name of ['code', 'errorCode', 'originalCode'] as const) {
      const code = (next as Partial<Record<typeof name, unknown>>)[name];
      if (typeof code === 'string') chain.push({ code, message });
    }
    chain.push({ code: '', message });
    queue.push(
      ...(['cause', 'meta', 'driverAdapterError'] as const).map(
        (name) => (next as Partial<Record<string, unknown>>)[name],
      ),
    );
  }
  return chain;
}
