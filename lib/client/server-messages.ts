import type { ReasonObject } from '@/lib/contract/reason';
import type { ReasonCode } from '@/lib/core/reasons/messages';

/**
 * Translates a message of the service into the language of the page. A message without a code or translation is returned
 * unchanged.
 */
export type Say = (sentence: string, reason?: ReasonObject | null) => string;

let currentSay: Say = (sentence) => sentence;

/** Sets the translation of reasons for the whole page: a browser shows one language at a time. */
export const sayReasonsBy = (say: Say): void => void (currentSay = say);

export const say: Say = (sentence, reason) => currentSay(sentence, reason);

/** Messages of the client for a service that did not respond. */
export const clientMessages = {
  server_not_responding: 'The server is not responding.',
  server_not_responding_retry: 'The server is not responding. Try again.',
  server_not_responding_unchanged: 'The server is not responding. Nothing was changed. Try again later.',
  server_too_slow:
    'The server did not respond in time. Check whether the change was made before you try again.',
  server_unreachable: 'Can’t reach the server. Check your connection.',
} as const satisfies Partial<Record<ReasonCode, string>>;

export const sayOwn = (code: keyof typeof clientMessages): string =>
  say(clientMessages[code], { code, params: {} });

/** A message of the service, with its translation into the language of the page. */
export interface ServerMessage {
  readonly sentence: string;
  readonly text: string;
}

/**
 * The translated messages in the body of an error response; empty for a body in another format, such as that of a proxy.
 */
export const errorMessagesIn = (body: unknown): string[] => serverMessagesIn(body).map(({ text }) => text);

/** Error messages with their original English text, from which advice is chosen. */
export function serverMessagesIn(body: unknown): ServerMessage[] {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors))
    return [];
  const reasons = 'reasons' in body && Array.isArray(body.reasons) ? (body.reasons as ReasonObject[]) : [];
  return (body.errors as unknown[]).flatMap((sentence, index) =>
    typeof sentence === 'string' ? [{ sentence, text: say(sentence, reasons[index]) }] : [],
  );
}
