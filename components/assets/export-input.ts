import type { TranslateMessage } from '@/lib/client/server-messages';
import { reasonOfInput } from '@/lib/core/reasons/input-reason';
import type { z } from 'zod';
import type { Translator } from '@/components/i18n/messages';
import { exportBody } from '@/lib/contract/assets/export';

/** The IPFS node of this server, an IPFS pinning service, or a URL that takes the file. */
export const exportDestinations = ['ipfs', 'pinning', 'custom'] as const;

export const exportMethods = ['PUT', 'POST', 'PATCH'] as const;

/** Values of the form. Only the fields of the selected destination are used. */
export interface ExportFormValues {
  destination: (typeof exportDestinations)[number];
  /** Kind of credentials for the pinning service: a token, or an API key with its secret. */
  credentials: 'jwt' | 'key-and-secret';
  jwt: string;
  apiKey: string;
  apiSecret: string;
  url: string;
  method: (typeof exportMethods)[number];
  /** HTTP headers, one per line: `Name: value`. */
  headers: string;
}

type ExportTranslator = Translator<'assets.exportInput'>;

/** Values of a new form, which exports to the IPFS node of this server. */
export const defaultExportFormValues: ExportFormValues = {
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
export type ExportResult =
  | { readonly input: ExportInput }
  | { readonly errors: Readonly<Partial<Record<keyof ExportFormValues, string>>> };

/** Creates the request body from the form values, and validates it with the schema of the API. */
export function parseExport(
  t: ExportTranslator,
  values: ExportFormValues,
  translateMessage: TranslateMessage,
): ExportResult {
  const headers = parseHeaders(t, values.headers);
  if (values.destination === 'custom' && 'error' in headers) return { errors: { headers: headers.error } };
  const input = createInput(values, 'headers' in headers ? headers.headers : {});
  const result = exportBody.safeParse(input);
  if (result.success) return { input };
  const errors: Partial<Record<keyof ExportFormValues, string>> = {};
  for (const issue of result.error.issues) {
    const field = formFieldOf(values, issue.path.map(String));
    const text = translateMessage(issue.message, reasonOfInput(issue.message));
    errors[field] ??= issue.path[1] === 'headers' ? `${String(issue.path[2] ?? 'headers')} ${text}` : text;
  }
  // The schema has one error for both kinds of credentials, so each field is checked here.
  if (values.destination === 'pinning') return { errors: { ...errors, ...credentialErrorsOf(t, values) } };
  if (values.destination === 'custom' && values.url.trim() === '') return { errors: { url: t('enterUrl') } };
  return { errors };
}

/** Request body from the fields of the selected destination. */
function createInput(values: ExportFormValues, headers: Record<string, string>): ExportInput {
  const { destination, credentials, jwt, apiKey, apiSecret, url, method } = values;
  if (destination === 'ipfs') return { ipfs: {} };
  if (destination === 'pinning') {
    const pinning =
      credentials === 'jwt' ? { jwt: jwt.trim() } : { apiKey: apiKey.trim(), apiSecret: apiSecret.trim() };
    return { ipfs: { pinning } };
  }
  const optionalHeaders = Object.keys(headers).length > 0 ? { headers } : {};
  return { custom: { url: url.trim(), method, ...optionalHeaders } };
}

/** Parses lines such as `Name: value`, and returns the error of the first invalid line. */
function parseHeaders(
  t: ExportTranslator,
  text: string,
): { headers: Record<string, string> } | { error: string } {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').map((untrimmedLine) => untrimmedLine.trim())) {
    if (line === '') continue;
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { error: t('headerForm', { line }) };
    headers[name] = value;
  }
  return { headers };
}

/** Form field for the path of an error in the request body. */
function formFieldOf({ credentials }: ExportFormValues, path: readonly string[]): keyof ExportFormValues {
  const fieldName = path.find((part) =>
    ['url', 'method', 'headers', 'jwt', 'apiKey', 'apiSecret'].includes(part),
  );
  return (fieldName as keyof ExportFormValues | undefined) ?? (credentials === 'jwt' ? 'jwt' : 'apiKey');
}

/** Errors of the credentials of the selected kind, by field. */
function credentialErrorsOf(t: ExportTranslator, { credentials, jwt, apiKey, apiSecret }: ExportFormValues) {
  // Credentials become HTTP headers: printable ASCII without spaces.
  const credentialErrorOf = (value: string) =>
    value.trim() === '' ? t('required') : /^[\x21-\x7e]+$/.test(value.trim()) ? null : t('printable');
  const entries = credentials === 'jwt' ? { jwt } : { apiKey, apiSecret };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => {
      const error = credentialErrorOf(value);
      return error === null ? [] : [[name, error]];
    }),
  );
}
