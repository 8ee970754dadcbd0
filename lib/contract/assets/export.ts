import { z } from 'zod';
import { remoteUrl, text } from '@/lib/contract/primitives';

/**
 * Headers that an export must not set: those of the connection and of proxies, and those with which the metadata services of
 * clouds give out credentials.
 */
const forbiddenHeaders =
  /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|proxy-.*|forwarded|x-forwarded-.*|metadata-flavor|x-aws-ec2-.*|__proto__)$/i;

/** Characters that RFC 9110 allows in the name of a header. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Tab, printable ASCII and the upper half of Latin-1, which Node can send. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The requirement that a header violates; null if it is valid. Headers are checked in the request, because Node rejects
 * invalid headers only when the export sends them.
 */
function headerError(name: string, value: string): string | null {
  if (!headerName.test(name)) return 'must be the name of an HTTP header';
  if (forbiddenHeaders.test(name)) return 'is a header that exports cannot set';
  return headerValue.test(value) ? null : 'must be the value of an HTTP header, on one line';
}

const headers = z.record(z.string(), z.string().max(4_000)).superRefine((record, context) => {
  const entries = Object.entries(record);
  for (const [name, value] of entries) {
    const message = headerError(name, value);
    if (message !== null) context.addIssue({ code: 'custom', path: [name], message });
  }
  const names = entries.map(([name]) => name.toLowerCase());
  if (names.length > 32) context.addIssue({ code: 'custom', message: 'must have at most 32 headers' });
  if (new Set(names).size < names.length) {
    context.addIssue({ code: 'custom', message: 'must name each header once' });
  }
  if (entries.flat().join('').length > 8_192) {
    context.addIssue({ code: 'custom', message: 'must not exceed 8 KB' });
  }
});

/** A credential of a pinning service, which is sent in an HTTP header. */
const credential = text(4_000, 1).regex(/^[\x21-\x7e]+$/, {
  error: 'must be printable ASCII without spaces',
});

const pinning = z.union(
  [z.strictObject({ jwt: credential }), z.strictObject({ apiKey: credential, apiSecret: credential })],
  { error: 'must hold either jwt, or apiKey together with apiSecret' },
);

/** Maximum nesting depth of a metadata document. */
const MAX_DEPTH = 16;
/** Maximum length of a metadata document as JSON text, in characters. */
const MAX_METADATA_LENGTH = 64 * 1024;

/** Nesting depth of a JSON value: 0 for a scalar, 1 for an object or array without children. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((deepest, child) => Math.max(deepest, 1 + depthOf(child)), 1);
}

/**
 * Pattern of the JSON escapes of NUL and of lone surrogates, which PostgreSQL can't store. The lookbehind skips escaped
 * backslashes.
 */
const unstorablePattern = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Schema of the NFT metadata of an exported asset. */
export const nftMetadata = z
  .record(z.string().max(200), z.json())
  .refine((value) => depthOf(value) <= MAX_DEPTH, { error: `must not nest deeper than ${MAX_DEPTH} levels` })
  .refine((value) => JSON.stringify(value).length <= MAX_METADATA_LENGTH, { error: 'must not exceed 64 KB' })
  .refine((value) => !unstorablePattern.test(JSON.stringify(value)), {
    error: 'must not contain NUL characters or broken Unicode',
  })
  .meta({ description: 'Deep-merged with the default metadata; null removes a field.' });

const ipfs = z
  .strictObject({
    pinning: pinning.exactOptional().meta({ description: 'Credentials of a pinning service.' }),
    pinata: pinning.exactOptional().meta({ description: 'The same as `pinning`, for older clients.' }),
    nftMetadata: nftMetadata.exactOptional(),
    nftMetadataTemplate: z.enum(['player', 'file']).exactOptional(),
  })
  .refine(({ pinning, pinata }) => pinning === undefined || pinata === undefined, {
    error: 'must hold at most one of pinning and pinata',
  });

const custom = z.strictObject({
  url: remoteUrl.meta({ description: 'The destination of the file.' }),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .pipe(z.enum(['PUT', 'POST', 'PATCH']))
    .exactOptional()
    .meta({ description: 'Default PUT.' }),
  headers: headers.exactOptional(),
});

/** Body of an export request, with exactly one destination. */
export const exportBody = z
  .strictObject({
    ipfs: ipfs.exactOptional().meta({ description: 'Exports to IPFS.' }),
    custom: custom.exactOptional().meta({ description: 'Sends the file to a URL.' }),
  })
  .refine((body) => (body.ipfs === undefined) !== (body.custom === undefined), {
    error: 'must hold exactly one of ipfs and custom',
  });
