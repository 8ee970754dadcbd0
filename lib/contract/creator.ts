import { z } from 'zod';
import { text } from './primitives';

/** Whom the account holder made something for: a name of theirs, that we do not check (api-contract §4.1). */
export const creatorId = z
  .object({ type: z.literal('unverified'), value: z.string() })
  .meta({ id: 'CreatorId' });

export type CreatorId = z.output<typeof creatorId>;

export const creatorIdInput = z.union([
  text(500, 1).transform((value): CreatorId => ({ type: 'unverified', value })),
  z.strictObject({ type: z.literal('unverified'), value: text(500, 1) }),
]);
