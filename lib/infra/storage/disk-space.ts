import { mkdir, statfs } from 'node:fs/promises';

/** Room on the disk that uploads, imports and recordings leave alone: the database lives there too. */
const mostReserved = 2 * 1024 ** 3;
const reservedShare = 0.05;

/**
 * Bytes that may still be written below `path` before the reserve is touched: 5 % of the disk, 2 GiB at most
 * (reliability §3). Negative when the reserve is in use already.
 */
export async function roomOnDisk(path: string): Promise<number> {
  await mkdir(path, { recursive: true });
  const { bavail, blocks, bsize } = await statfs(path);
  return bavail * bsize - Math.min(mostReserved, blocks * bsize * reservedShare);
}
