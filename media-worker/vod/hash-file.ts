import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** md5 and sha256 of a whole file, read once. A type, not an interface: it is stored as JSON. */
export async function hashFile(
  path: string,
  signal: AbortSignal,
): Promise<{ hash: string; algorithm: string }[]> {
  const hashes = { md5: createHash('md5'), sha256: createHash('sha256') };
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576, signal })) {
    for (const hash of Object.values(hashes)) hash.update(chunk as Buffer);
  }
  return Object.entries(hashes).map(([algorithm, hash]) => ({ hash: hash.digest('hex'), algorithm }));
}
