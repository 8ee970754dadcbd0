import { z } from 'zod';
import { text } from './primitives';

/** The account holder's own id for the user who created something. Not verified. */
export const creatorId = z
  .object({ type: z.literal('unverified'), value: z.string() })
  .meta({ id: 'CreatorId' });

export type CreatorId = z.output<typeof creatorId>;

export const creatorIdInput = z.union([
  text(500, 1).transform((value): CreatorId => ({ type: 'unverified', value })),
  z.strictObject({ type: z.literal('unverified'), value: text(500, 1) }),
]);
