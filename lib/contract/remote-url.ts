import { text } from './primitives';

/**
 * URL of a remote file, to fetch from or send to: checks only its text. Whether the
 * address is allowed is decided when it is used, because DNS answers change.
 */
export const remoteUrl = text(5_000, 1)
  // White space and backslashes are read differently by different parsers.
  .regex(/^https?:\/\/[^\s\\]+$/, { error: 'must be an http:// or https:// URL' })
  .refine((url) => URL.canParse(url), { error: 'must be an http:// or https:// URL' })
  .refine((url) => !URL.canParse(url) || !hasCredentials(new URL(url)), {
    error: 'must not contain a user name or password',
  });

function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}
