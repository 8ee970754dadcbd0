import { render } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { MessagesProvider } from '@/components/i18n/messages';
import { ApiCallError, readErrorResponse } from '@/lib/client/call';
import { clientMessages, setMessageTranslation } from '@/lib/client/server-messages';
import { createErrorBody, reasonOf } from '@/lib/core/reasons/reason';
import { errorMessages } from '@/lib/core/reasons/messages';
import { de } from '@/messages/de';
import type { Language } from '@/messages/languages';
import { ClientErrorTranslation, useTranslateMessage } from './reasons';

function TranslatedMessage({ text }: { text: string }) {
  return <p>{useTranslateMessage()(text, reasonOf(text))}</p>;
}

function renderMessage(text: string, language: Language = 'de'): string {
  const { container, unmount } = render(
    <MessagesProvider language={language} messages={language === 'de' ? { reasons: de.reasons } : {}}>
      <TranslatedMessage text={text} />
    </MessagesProvider>,
  );
  const { textContent } = container;
  unmount();
  return textContent;
}

beforeEach(() => setMessageTranslation((message) => message));

test.each([
  ['the file is empty', 'Die Datei ist leer'],
  ['name: must have at most 500 characters', 'name: darf höchstens 500 Zeichen haben'],
  [
    'rendition "720p" is paused: this machine is too slow for it; it will be retried later',
    'Die Qualitätsstufe „720p“ pausiert: Dieser Rechner ist dafür zu langsam. Sie wird später noch einmal versucht',
  ],
  ['1.5 GB of 10 GB are used', '1,5 GB von 10 GB sind belegt'],
  [
    'Too many attempts to log in. Try again in 12 minutes',
    'Zu viele Anmeldeversuche. Versuchen Sie es in 12 Minuten noch einmal',
  ],
  [
    'Hint: too few bits for this picture size, so the picture may look blocky: raise the bitrate about 3.5 times, or send a smaller picture',
    'Hinweis: Zu wenige Bits für diese Bildgröße, sodass das Bild grob aussehen kann: Erhöhen Sie die Bitrate etwa auf das 3,5-Fache oder senden Sie ein kleineres Bild',
  ],
  [
    'the video lasts 12.5 hours; at most 12 are accepted',
    'Das Video dauert 12,5 Stunden. Möglich sind höchstens 12',
  ],
  ['endTime: a clip lasts at most 10 minutes', 'endTime: Ein Clip dauert höchstens 10 Minuten'],
  ['A message of another server', 'A message of another server'],
])('a German page shows “%s” as “%s”', (message, german) => expect(renderMessage(message)).toBe(german));

test('an English page shows the message of the service', () => {
  expect(renderMessage('the file is empty', 'en')).toBe('the file is empty');
});

test('errors of API calls have messages in the language of the page, except messages without a code', async () => {
  render(
    <MessagesProvider language="de" messages={{ reasons: de.reasons }}>
      <ClientErrorTranslation />
    </MessagesProvider>,
  );
  const body = JSON.stringify(
    createErrorBody([{ field: 'name', message: 'must not be empty' }, 'A message of another server']),
  );
  const error = await readErrorResponse(new Response(body, { status: 422 }));
  expect(error).toBeInstanceOf(ApiCallError);
  expect(error.messages).toEqual(['name: darf nicht leer sein', 'A message of another server']);
  expect(error.issues).toEqual([
    { field: 'name', message: 'darf nicht leer sein' },
    'A message of another server',
  ]);
  expect((await readErrorResponse(new Response('<html>', { status: 502 }))).message).toBe(
    'Der Server antwortet nicht. Versuchen Sie es noch einmal.',
  );
});

test('each message of the client equals the message of the service with the same code', () => {
  for (const [code, message] of Object.entries(clientMessages))
    expect(errorMessages[code as keyof typeof clientMessages]).toBe(message);
});
