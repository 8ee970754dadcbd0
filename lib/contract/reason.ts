import { z } from 'zod';

/**
 * A reason as stored in the database. It is a type alias, because the database client does not accept an
 * interface as JSON.
 */
export type ReasonObject = {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly field?: string;
  readonly cause?: ReasonObject;
};

/** Schema of a reason: an error message as code and parameters, for programs and for translations. */
export const reason: z.ZodType<ReasonObject> = z
  .object({
    code: z.string().meta({ description: 'Stable, even if the wording of the message changes.' }),
    params: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta({ description: 'Parameters of the message.' }),
    field: z.string().exactOptional().meta({ description: 'The field that the message starts with.' }),
    get cause(): z.ZodExactOptional<z.ZodType<ReasonObject>> {
      return z.exactOptional(reason);
    },
  })
  .meta({
    id: 'Reason',
    description:
      'The error message as a code with parameters. `cause` is the reason that the message contains.',
  });

/**
 * Schema of the reasons of several messages, in the same order; null for a message without a code, such as that of another
 * server.
 */
export const reasons = z.array(reason.nullable());
