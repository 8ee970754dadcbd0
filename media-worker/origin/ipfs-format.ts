import type { IncomingHttpHeaders } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import { errorAnswer, type Answer } from '../http/answer';

/** `raw`: the block itself; `car`: an archive of all blocks. Null: the bytes, put together. */
export type IpfsFormat = 'raw' | 'car' | null;

/** The format in which a client requests an identifier. */
export interface RequestedFormat {
  readonly format: IpfsFormat;
  /** Whether a header could have said something else: caches must know. */
  readonly byHeader: boolean;
  /** The `Content-Disposition` header, from the query. */
  readonly disposition: string | null;
}

export const ipfsTypes = { raw: 'application/vnd.ipld.raw', car: 'application/vnd.ipld.car' } as const;
const longestName = 200;

/** @returns the requested format, or the error response for one that is not offered */
export function requestedFormat(
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
): { readonly requested: RequestedFormat } | { readonly refusal: Answer } {
  // A script that would see every request to this file and those beside it (path gateway specification).
  if (headers['service-worker'] === 'script') {
    return { refusal: errorAnswer(400, 'Service workers are not allowed for a single file.') };
  }
  const asked = query.get('format') ?? '';
  if (asked !== '' && asked !== 'raw' && asked !== 'car') {
    return { refusal: errorAnswer(406, 'format must be raw or car.') };
  }
  const format = asked === '' ? accepted(headers.accept) : asked;
  return { requested: { format, byHeader: asked === '', disposition: dispositionOf(query, format) } };
}

/**
 * Clients that check what they get name what they understand, perhaps with what they like better (RFC 9110 §12.5.1).
 */
function accepted(accept = ''): IpfsFormat {
  const types = accept.split(',').map((one) => {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
    return { type, weight: weight === undefined ? 1 : Number(weight) };
  });
  const known = types.filter(
    ({ type, weight }) => weight > 0 && Object.values<string>(ipfsTypes).includes(type),
  );
  const [best] = known.toSorted((one, other) => other.weight - one.weight);
  return best === undefined ? null : best.type === ipfsTypes.raw ? 'raw' : 'car';
}

function dispositionOf(query: URLSearchParams, format: IpfsFormat): string | null {
  const name = query
    .get('filename')
    ?.replace(/[\p{Cc}/\\]/gu, ' ')
    .trim()
    .slice(0, longestName);
  const download = query.get('download') === 'true';
  if (!name && !download) return null;
  return contentDisposition(name || undefined, {
    type: download || format !== null ? 'attachment' : 'inline',
  });
}
