import { findReasons, type Reason } from './find-reasons';
import { errorMessages } from './messages';

/** The code of a sentence of the service; null if it has none, as the words of another server have. */
export const reasonOf = findReasons(errorMessages);

/** The codes of several sentences, in their order; undefined when none has one. */
export function reasonsOf(list: readonly string[]): (Reason | null)[] | undefined {
  const reasons = list.map(reasonOf);
  return reasons.some((each) => each !== null) ? reasons : undefined;
}

/** A field with the reason of a sentence; nothing for a sentence without a code. */
export function reasonField<Name extends string>(
  name: Name,
  sentence: string | null | undefined,
): { readonly [Key in Name]?: Reason } {
  const reason = sentence ? reasonOf(sentence) : null;
  return (reason ? { [name]: reason } : {}) as { readonly [Key in Name]?: Reason };
}

/** Response field with the reasons of a stream's `issues`. */
export function issueReasonsField(issues: readonly string[]): { issueReasons?: (Reason | null)[] } {
  const issueReasons = reasonsOf(issues);
  return issueReasons ? { issueReasons } : {};
}

/** The body of every error response. */
export function errorBodyOf(errors: readonly string[]): {
  errors: readonly string[];
  reasons?: readonly (Reason | null)[];
} {
  const reasons = reasonsOf(errors);
  return reasons ? { errors, reasons } : { errors };
}
