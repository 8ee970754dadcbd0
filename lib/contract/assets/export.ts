import { z } from 'zod';
import { remoteUrl, text } from '@/lib/contract/primitives';

const forbiddenHeaders =
  /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|proxy-.*|forwarded|x-forwarded-.*|metadata-flavor|x-aws-ec2-.*|__proto__)$/i;

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Why a header is invalid, or null. Checked at the request, because Node rejects invalid headers only on sending. */
function headerFault(name: string, value: string): string | null {
  if (!headerName.test(name)) return 'must be the name of an HTTP header';
  if (forbiddenHeaders.test(name)) return 'is a header that exports cannot set';
  return headerValue.test(value) ? null : 'must be the value of an HTTP header, on one line';
}

const headers = z.record(z.string(), z.string().max(4_000)).superRefine((headers, ctx) => {
  const entries = Object.entries(headers);
  for (const [name, value] of entries) {
    const message = headerFault(name, value);
    if (message !== null) ctx.addIssue({ code: 'custom', path: [name], message });
  }
  const names = entries.map(([name]) => name.toLowerCase());
  if (names.length > 32) ctx.addIssue({ code: 'custom', message: 'must have at most 32 headers' });
  if (new Set(names).size < names.length) {
    ctx.addIssue({ code: 'custom', message: 'must name each header once' });
  }
  if (entries.flat().join('').length > 8_192) {
    ctx.addIssue({ code: 'custom', message: 'must not exceed 8 KB' });
  }
});

/** Value of an HTTP header. */
const credential = text(4_000, 1).regex(/^[\x21-\x7e]+$/, {
  error: 'must be printable ASCII without spaces',
});

const pinning = z.union(
  [z.strictObject({ jwt: credential }), z.strictObject({ apiKey: credential, apiSecret: credential })],
  { error: 'must hold either jwt, or apiKey together with apiSecret' },
);

/** Limits on the depth and size of a metadata document. */
const maxDepth = 16;
const maxMetadataLength = 64 * 1024;

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((deepest, child) => Math.max(deepest, 1 + depthOf(child)), 1);
}

/** JSON escapes of NUL and of lone surrogates: PostgreSQL can't store them. The lookbehind skips escaped backslashes. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

export const nftMetadata = z
  .record(z.string().max(200), z.json())
  .refine((value) => depthOf(value) <= maxDepth, { error: `must not nest deeper than ${maxDepth} levels` })
  .refine((value) => JSON.stringify(value).length <= maxMetadataLength, { error: 'must not exceed 64 KB' })
  .refine((value) => !unstorable.test(JSON.stringify(value)), {
    error: 'must not contain NUL characters or broken Unicode',
  })
  .meta({ description: 'Deep-merged with the default metadata; null removes a field.' });

const ipfs = z
  .strictObject({
    pinning: pinning.exactOptional().meta({ description: 'Credentials of a pinning service.' }),
    pinata: pinning.exactOptional().meta({ description: 'Alias of `pinning` for older clients.' }),
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

/** Body of an export: exactly one destination. */
export const exportBody = z
  .strictObject({
    ipfs: ipfs.exactOptional().meta({ description: 'Exports to IPFS.' }),
    custom: custom.exactOptional().meta({ description: 'Sends the file to a URL.' }),
  })
  .refine((body) => (body.ipfs === undefined) !== (body.custom === undefined), {
    error: 'must hold exactly one of ipfs and custom',
  });
