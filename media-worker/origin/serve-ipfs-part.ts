import type { IncomingHttpHeaders } from 'node:http';
import type { IpfsContent } from '@/lib/assets';
import { ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { errorAnswer, type Answer } from '../http/answer';
import { immutable } from './serve-file';

export const ipfsTypes = { raw: 'application/vnd.ipld.raw', car: 'application/vnd.ipld.car' } as const;

interface KeptPart {
  readonly cid: string;
  readonly root: string;
  readonly part: NonNullable<IpfsContent['part']>;
}

interface Wish {
  readonly wanted: 'raw' | 'car' | null;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Answers for one block inside a copy: the bytes of the file that are below it, or on request the block itself. Whose
 * parts lie elsewhere is not known to it, so an archive is made of whole copies only.
 */
export async function servePart(
  storage: Pick<StorageDriver, 'head' | 'read'>,
  { cid, root, part }: KeptPart,
  { wanted, headers }: Wish,
): Promise<Answer | null> {
  if (wanted === 'car')
    return errorAnswer(406, 'Archives are made of whole files; ask for this block as raw.');
  const place =
    wanted === 'raw' && part.node
      ? { key: ipfsArchiveKey(root), start: part.node.at, bytes: part.node.bytes }
      : { key: ipfsKey(root), start: part.start, bytes: part.bytes };
  const { key, start, bytes } = place;
  if (!(await storage.head(key))) return null;
  const common = {
    'Content-Type': wanted === 'raw' ? ipfsTypes.raw : 'application/octet-stream',
    'Cache-Control': immutable,
    ETag: wanted === 'raw' ? `"${cid}.raw"` : `"${cid}"`,
    ...(wanted === 'raw' ? { 'Content-Disposition': `attachment; filename="${cid}.bin"` } : {}),
  };
  if (headers['if-none-match'] === common.ETag) return { status: 304, headers: common };
  const open = async () => {
    const source = await storage.read(key, { start, end: start + bytes - 1 });
    if (!source) throw new Error('The file was removed meanwhile');
    return source;
  };
  return { status: 200, headers: common, stream: { bytes, open } };
}
