import type { TranslateMessage } from '@/lib/client/server-messages';
import { reasonOfInput } from '@/lib/core/reasons/input-reason';
import type { z } from 'zod';
import type { Translator } from '@/components/i18n/messages';
import { exportBody } from '@/lib/contract/assets/export';

export const exportDestinations = ['ipfs', 'pinning', 'custom'] as const;

export const exportMethods = ['PUT', 'POST', 'PATCH'] as const;

/** Values of the form. Only those of the selected destination are used. */
export interface ExportAnswers {
  destination: (typeof exportDestinations)[number];
  credentials: 'jwt' | 'pair';
  jwt: string;
  apiKey: string;
  apiSecret: string;
  url: string;
  method: (typeof exportMethods)[number];
  /** HTTP headers, one per line: `Name: value`. */
  headers: string;
}

type T = Translator<'assets.exportInput'>;

export const emptyExport: ExportAnswers = {
  destination: 'ipfs',
  credentials: 'jwt',
  jwt: '',
  apiKey: '',
  apiSecret: '',
  url: '',
  method: 'PUT',
  headers: '',
};

export type ExportInput = z.input<typeof exportBody>;

/** The body for POST /api/asset/{id}/export, or the validation errors by field. */
export type ExportRead =
  | { readonly input: ExportInput }
  | { readonly faults: Readonly<Partial<Record<keyof ExportAnswers, string>>> };

/** Reads the form; the contract validates the result. */
export function readExport(t: T, answers: ExportAnswers, translateMessage: TranslateMessage): ExportRead {
  const headers = readHeaders(t, answers.headers);
  if (answers.destination === 'custom' && 'fault' in headers) return { faults: { headers: headers.fault } };
  const input = inputOf(answers, 'headers' in headers ? headers.headers : {});
  const result = exportBody.safeParse(input);
  if (result.success) return { input };
  const faults: Partial<Record<keyof ExportAnswers, string>> = {};
  for (const issue of result.error.issues) {
    const field = fieldOf(answers, issue.path.map(String));
    const text = translateMessage(issue.message, reasonOfInput(issue.message));
    faults[field] ??= issue.path[1] === 'headers' ? `${String(issue.path[2] ?? 'headers')} ${text}` : text;
  }
  // Credentials are a union of two kinds with one common error.
  if (answers.destination === 'pinning') return { faults: { ...faults, ...missingCredentials(t, answers) } };
  if (answers.destination === 'custom' && answers.url.trim() === '')
    return { faults: { url: t('enterUrl') } };
  return { faults };
}

function inputOf(answers: ExportAnswers, headers: Record<string, string>): ExportInput {
  const { destination, credentials, jwt, apiKey, apiSecret, url, method } = answers;
  if (destination === 'ipfs') return { ipfs: {} };
  if (destination === 'pinning') {
    const pinning =
      credentials === 'jwt' ? { jwt: jwt.trim() } : { apiKey: apiKey.trim(), apiSecret: apiSecret.trim() };
    return { ipfs: { pinning } };
  }
  const more = Object.keys(headers).length > 0 ? { headers } : {};
  return { custom: { url: url.trim(), method, ...more } };
}

function readHeaders(t: T, text: string): { headers: Record<string, string> } | { fault: string } {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { fault: t('headerForm', { line }) };
    headers[name] = value;
  }
  return { headers };
}

function fieldOf({ credentials }: ExportAnswers, path: readonly string[]): keyof ExportAnswers {
  const last = path.find((part) => ['url', 'method', 'headers', 'jwt', 'apiKey', 'apiSecret'].includes(part));
  return (last as keyof ExportAnswers | undefined) ?? (credentials === 'jwt' ? 'jwt' : 'apiKey');
}

function missingCredentials(t: T, { credentials, jwt, apiKey, apiSecret }: ExportAnswers) {
  const odd = (value: string) =>
    value.trim() === '' ? t('required') : /^[\x21-\x7e]+$/.test(value.trim()) ? null : t('printable');
  const entries = credentials === 'jwt' ? { jwt } : { apiKey, apiSecret };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => {
      const fault = odd(value);
      return fault === null ? [] : [[name, fault]];
    }),
  );
}
