import { postgresBinaries } from './postgres/binaries';
import { buildStaleParts } from './service/build';

/** `npm run build`: builds what a start would build, so that the start needs no write access to the code. */
export default async function build(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  await buildStaleParts((line) => console.error(line), stopping.signal);
  // Creates the symbolic links that npm leaves out of the embedded PostgreSQL.
  postgresBinaries();
}
