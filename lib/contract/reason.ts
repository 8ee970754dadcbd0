import { z } from 'zod';

/** A type alias, because an interface is no JSON to the database client. */
export type ReasonObject = {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly field?: string;
  readonly cause?: ReasonObject;
};

/** The sentence beside it for programs, and for readers of another language. */
export const reason: z.ZodType<ReasonObject> = z
  .object({
    code: z.string().meta({ description: 'Stays the same when the sentence is worded better.' }),
    params: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta({ description: 'What varies in the sentence.' }),
    field: z.string().exactOptional().meta({ description: 'The field that the sentence names first.' }),
    get cause(): z.ZodExactOptional<z.ZodType<ReasonObject>> {
      return z.exactOptional(reason);
    },
  })
  .meta({
    id: 'Reason',
    description:
      'The sentence beside it as a code with parameters. `cause` is the reason that the sentence quotes.',
  });

/** One for each sentence, in their order; null for a sentence without a code, such as one of another server. */
export const reasons = z.array(reason.nullable());
