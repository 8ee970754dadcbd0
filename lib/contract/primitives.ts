import { z } from 'zod';

/** Text that PostgreSQL and JSON can both hold: no NUL character, no half of a surrogate pair. */
const storable = (value: string) => !value.includes('\0') && !/\p{Surrogate}/u.test(value);

/** A string of `min` to `max` characters that can be stored. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine(storable, { error: 'must not contain NUL characters or broken Unicode' });

export const uuid = z.uuid().meta({ description: 'Identifier, assigned by the service.' });

/** Unix time in milliseconds. */
export const timestamp = z.int().min(0).meta({ description: 'Unix time in milliseconds.' });

/** Public name of something that can be played. */
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

/** NFKC, so that the same password typed on another keyboard gives the same bytes. */
export const password = text(128, 10)
  .transform((value) => value.normalize('NFKC'))
  .meta({ description: '10 to 128 characters; common passwords are refused.' });

export const idParams = z.object({ id: uuid });

/** The body of every error response. */
export const errorBody = z
  .object({ errors: z.array(z.string()).min(1) })
  .meta({ id: 'Error', description: 'What is wrong, in sentences that name the field.' });
