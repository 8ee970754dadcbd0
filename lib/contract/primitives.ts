import { z } from 'zod';
import { cleanUrl, readUrl } from '@/lib/core/read-url';
import { reasons } from './reason';

/** Whether PostgreSQL and JSON can store a text: it has no NUL character and no lone surrogate. */
const isStorable = (value: string) => !value.includes('\0') && !/\p{Surrogate}/u.test(value);

/** Schema of a text of `min` to `max` characters that can be stored. */
export const text = (max: number, min = 0) => storableString(z.string(), max, min);

const storableString = (string: z.ZodString, max: number, min: number) =>
  string.min(min).max(max).refine(isStorable, { error: 'must not contain NUL characters or broken Unicode' });

/** Pattern of a visible character: no white space, no control or formatting character, and no letter without a glyph. */
const visibleCharacter = /[^\s\p{C}\u115f\u1160\u2800\u3164]/u;

/** Schema of the name of an object, which must not be blank. With `min` 0, it may be empty. */
export const nameText = (max: number, min = 1) =>
  text(max, min).refine((name) => name === '' || visibleCharacter.test(name), {
    error: 'must not be blank; enter at least one letter or digit',
  });

/** Schema of a description for the watch page; an empty text deletes the description. */
export const descriptionText = text(5_000).meta({
  description: 'Plain text for the watch page. URLs become links. An empty string deletes it.',
});

export const uuid = z.uuid().meta({ description: 'Identifier, assigned by the service.' });

export const timestamp = z.int().min(0).meta({ description: 'Unix time in milliseconds.' });

/** Schema of a playback id, the public id of a stream, asset or session. */
export const playbackId = z
  .string()
  .regex(/^[a-z0-9]{16}$/, { error: 'must be 16 lower-case letters or digits' })
  .meta({ description: 'Public identifier for playback: 16 lower-case letters or digits.' });

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email({ error: 'must be an email address' }))
  .meta({ description: 'Email address; stored in lower case.' });

/** Schema of a new password. It is normalized to NFKC, so that it has the same bytes with every keyboard. */
export const password = text(128, 10)
  .transform((value) => value.normalize('NFKC'))
  .meta({ description: '10 to 128 characters; common passwords are rejected.' });

export const idParams = z.object({ id: uuid });

const fieldIssue = z
  .object({
    field: z.string().meta({
      description: 'Path in the body or query, such as `profiles[0].width`, or the name of a header.',
    }),
    message: z.string().meta({ description: 'The message without the field.' }),
  })
  .meta({ id: 'FieldIssue', description: 'What is wrong with one field of the request.' });

/** The body of every error response. */
export const errorBody = z
  .object({
    errors: z.array(z.string()).min(1),
    fields: z.array(fieldIssue.nullable()).exactOptional().meta({
      description:
        'The field of each message, in their order; null for a message about no field. Absent if no message is about one.',
    }),
    reasons: reasons.exactOptional().meta({
      description: 'The code of each message, in the same order. Absent if no message has a code.',
    }),
  })
  .meta({ id: 'Error', description: 'Error messages that name the field.' });

/** The id, in another system, of the person who created an object. It is not verified. */
export const creatorId = z
  .object({ type: z.literal('unverified'), value: z.string() })
  .meta({ id: 'CreatorId' });

export type CreatorId = z.output<typeof creatorId>;

export const creatorIdInput = z
  .union([
    text(500, 1).transform((value): CreatorId => ({ type: 'unverified', value })),
    z.strictObject({ type: z.literal('unverified'), value: text(500, 1) }),
  ])
  .meta({ description: 'Your own ID for the user who created the object. Not verified.' });

/**
 * Schema of the URL of a remote file that is downloaded or uploaded. Only the syntax is checked here; the IP address is
 * checked on each use, because DNS responses change.
 */
export const remoteUrl = storableString(z.string().overwrite(cleanUrl), 5_000, 1)
  // Parsers disagree about line breaks, tabs and backslashes in URLs.
  .regex(/^https?:\/\/[^\s\\]+$/, { error: 'must be an http:// or https:// URL' })
  .refine((url) => readUrl(url) !== null, { error: 'must be an http:// or https:// URL' })
  .refine((url) => !hasCredentials(readUrl(url)), {
    error: 'must not contain a user name or password',
  });

function hasCredentials(url: URL | null): boolean {
  return url !== null && (url.username !== '' || url.password !== '');
}

const queryParameter = (description: string) => z.string().max(10_000).exactOptional().meta({ description });

/** Query parameters of every list, which lib/core/lists/list-query.ts parses. */
export const listQuery = z.object({
  limit: queryParameter(
    'Number of objects, 1 to 1000. Without it, up to 10,000 objects are returned. The `Link` header has the URL of the next page.',
  ).meta({ example: '20' }),
  cursor: queryParameter(
    'Opaque, from the `Link` header of the previous page. Continues in the order of that page.',
  ),
  order: queryParameter(
    'Fields to sort by, `<field>-true` for descending and `<field>-false` for ascending, joined by commas.',
  ),
  filters: queryParameter(
    'URL-encoded JSON array of `{"id": field, "value": value}`. All filters must match. The value of an id field can be an array of up to 100 IDs.',
  ).meta({
    example: '[{"id":"isActive","value":true}]',
  }),
  count: queryParameter(
    'Any value: the response has the total number of matching objects in `X-Total-Count`.',
  ),
  name: queryParameter('Sort by name: `asc` or `desc`.'),
});

/** Description of URLs in responses that lib/core/assets/masked-url.ts masks. */
export const maskedUrlDescription =
  'Query parameters with secrets are masked (`token=***`): signatures, tokens, keys, passwords and credentials, including presigned URLs of S3, GCS, Azure and CloudFront. Other parameters stay.';
