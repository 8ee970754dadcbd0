import { issueMessage, type FieldIssue, type Issue } from '@/lib/core/errors';
import { createReasonFinder, type Reason } from './find-reasons';
import { errorMessages } from './messages';

/** Finds the reason of a message; null for a message without a code, such as that of another server. */
export const reasonOf = createReasonFinder(errorMessages);

/** The reasons of several messages, in the same order; undefined if none has a code. */
export function reasonsOf(messages: readonly string[]): (Reason | null)[] | undefined {
  const reasons = messages.map(reasonOf);
  return reasons.some((reason) => reason !== null) ? reasons : undefined;
}

/** An object with the reason of a message as its only field; empty for a message without a code. */
export function reasonField<Name extends string>(
  name: Name,
  message: string | null | undefined,
): { readonly [Key in Name]?: Reason } {
  const reason = message ? reasonOf(message) : null;
  return (reason ? { [name]: reason } : {}) as { readonly [Key in Name]?: Reason };
}

/** The response field with the reasons of the `issues` of a stream; no field if no issue has a code. */
export function issueReasonsField(issues: readonly string[]): { issueReasons?: (Reason | null)[] } {
  const issueReasons = reasonsOf(issues);
  return issueReasons ? { issueReasons } : {};
}

/** The body of every error response. `reasons` and `fields` have one entry for each message of `errors`. */
export function createErrorBody(issues: readonly Issue[]): {
  errors: readonly string[];
  fields?: readonly (FieldIssue | null)[];
  reasons?: readonly (Reason | null)[];
} {
  const errors = issues.map(issueMessage);
  const fields = issues.map((issue) => (typeof issue === 'string' ? null : issue));
  const reasons = reasonsOf(errors);
  return {
    errors,
    ...(fields.some((field) => field !== null) ? { fields } : {}),
    ...(reasons ? { reasons } : {}),
  };
}
