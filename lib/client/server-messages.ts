import type { FieldIssue, Issue } from '@/lib/core/errors';
import type { ReasonObject } from '@/lib/contract/reason';
import type { ReasonCode } from '@/lib/core/reasons/messages';

/**
 * Translates a message of the service into the language of the page. A message without a code or translation is returned
 * unchanged.
 */
export type TranslateMessage = (message: string, reason?: ReasonObject | null) => string;

let currentTranslation: TranslateMessage = (message) => message;

/** Sets the translation of reasons for the whole page: a browser shows one language at a time. */
export const setMessageTranslation = (translateMessage: TranslateMessage): void =>
  void (currentTranslation = translateMessage);

export const translateMessage: TranslateMessage = (message, reason) => currentTranslation(message, reason);

/** Messages of the client for a service that did not respond. */
export const clientMessages = {
  server_not_responding: 'The server is not responding.',
  server_not_responding_retry: 'The server is not responding. Try again.',
  server_not_responding_unchanged: 'The server is not responding. Nothing was changed. Try again later.',
  server_too_slow:
    'The server did not respond in time. Check whether the change was made before you try again.',
  server_unreachable: 'Can’t reach the server. Check your connection.',
} as const satisfies Partial<Record<ReasonCode, string>>;

export const clientMessage = (code: keyof typeof clientMessages): string =>
  translateMessage(clientMessages[code], { code, params: {} });

/** A message of the service, with its translation into the language of the page. */
export interface ServerMessage {
  /** The English message of the service. */
  readonly message: string;
  /** Its translation. */
  readonly text: string;
}

/** An error message, and the issue that separates its field from its text. */
interface ErrorMessage extends ServerMessage {
  readonly issue: Issue;
}

/**
 * Error messages in the body of an error response, with the original English text, by which the page chooses advice; empty
 * for a body in another format, for example that of a proxy.
 */
export function serverMessagesIn(body: unknown): ErrorMessage[] {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors))
    return [];
  const [reasons, fields] = [arrayIn(body, 'reasons'), arrayIn(body, 'fields')];
  return (body.errors as unknown[]).flatMap((message, index) => {
    if (typeof message !== 'string') return [];
    const reason = reasons[index] as ReasonObject | null | undefined;
    const fieldIssue = fields[index];
    const text = translateMessage(message, reason);
    return [{ message, text, issue: isFieldIssue(fieldIssue) ? translateIssue(fieldIssue, reason) : text }];
  });
}

function arrayIn(body: object, name: string): unknown[] {
  const array: unknown = (body as Readonly<Partial<Record<string, unknown>>>)[name];
  return Array.isArray(array) ? array : [];
}

const isFieldIssue = (value: unknown): value is FieldIssue =>
  typeof value === 'object' &&
  value !== null &&
  'field' in value &&
  typeof value.field === 'string' &&
  'message' in value &&
  typeof value.message === 'string';

function translateIssue({ field, message }: FieldIssue, reason?: ReasonObject | null): FieldIssue {
  const { field: _, ...reasonOfMessage } = reason ?? {};
  return { field, message: translateMessage(message, reason && (reasonOfMessage as ReasonObject)) };
}
