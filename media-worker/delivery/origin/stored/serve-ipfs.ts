import type { IncomingHttpHeaders } from 'node:http';
import { CID } from 'multiformats/cid';
import type { IpfsContent } from '@/lib/domain/assets';
import type { StorageDriver } from '@/lib/infra/storage';
import { notFoundAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { type RequestedFormat, answerWithIpfs, emptyCid, parseRequestedFormat } from './ipfs-answer';

export interface IpfsRequest {
  /** Path after `/ipfs`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** Identifiers of version 1 in base 32 and of version 0. Clients can convert other bases. */
const identifierPath = /^\/(bafkqaaa|b[a-z2-7]{50,100}|Qm[1-9A-HJ-NP-Za-km-z]{44})$/;
const noContentAnswer = notFoundAnswer('This node has no content with this identifier.');
/** The answer to `only-if-cached`: other nodes are never asked, so content that is not stored here is not cached. */
const notCachedAnswer: Answer = { status: 412, headers: { 'Cache-Control': 'no-store' }, body: [] };

export type ServeIpfs = (request: IpfsRequest) => Promise<Answer>;

interface IpfsSources {
  readonly storage: Pick<StorageDriver, 'head' | 'read'>;
  readonly find: (cid: { readonly text: string; readonly binary: Uint8Array }) => Promise<IpfsContent | null>;
}

/**
 * Answers a GET or HEAD below `/ipfs` like a gateway: the content of an identifier that is stored here, the block itself, or
 * an archive of all blocks, which any client can verify (IPFS path and trustless gateway specifications).
 */
export function createServeIpfs({ storage, find }: IpfsSources): ServeIpfs {
  const findContent = async (cid: Identifier) => (cid.text === emptyCid ? 'empty' : find(cid));
  return async ({ path, query, headers }) => {
    const formatRequest = parseRequestedFormat(query, headers);
    if ('rejection' in formatRequest) return formatRequest.rejection;
    const { format } = formatRequest;
    const cid = parseIdentifier(path);
    const content = cid && (await findContent(cid));
    if (!content)
      return headers['cache-control']?.includes('only-if-cached') ? notCachedAnswer : noContentAnswer;
    const representation = {
      cid: cid.text,
      format: format.format,
      disposition: format.disposition,
      headers: {
        ...cacheHeadersOf(format, cid.text),
        'X-Ipfs-Path': `/ipfs${path}`,
        'X-Ipfs-Roots': cid.text,
      },
    };
    return (await answerWithIpfs(storage, content, representation, headers)) ?? noContentAnswer;
  };
}

/**
 * Headers that let caches tell the representations of an identifier apart. Some caches ignore `Vary`, so the answer
 * also names a URL for its representation.
 */
function cacheHeadersOf({ format, isHeaderUsed }: RequestedFormat, cid: string) {
  if (!isHeaderUsed) return {};
  return { Vary: 'Accept', ...(format ? { 'Content-Location': `/ipfs/${cid}?format=${format}` } : {}) };
}

interface Identifier {
  readonly text: string;
  readonly binary: Uint8Array;
}

function parseIdentifier(path: string): Identifier | null {
  const [, text] = identifierPath.exec(path) ?? [];
  if (text === undefined) return null;
  try {
    const cid = CID.parse(text).toV1();
    return { text: cid.toString(), binary: cid.bytes };
  } catch {
    return null;
  }
}
