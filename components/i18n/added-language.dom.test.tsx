import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterAll, expect, test } from 'vitest';
import { DataProvider } from '@/app/data-provider';
import { LanguagePanel } from '@/components/settings/language-panel';
import { ClientErrorTranslation } from '@/components/i18n/reasons';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { NodesView } from '@/components/nodes/nodes-view';
import { TargetsView } from '@/app/(dashboard)/targets/targets-view';
import { registry } from '@/lib/contract/registry';
import { en } from '@/messages/en';
import { readTranslations } from '@/messages/read-translations';
import { MessagesProvider } from './messages';

type Texts = { readonly [key: string]: Texts | string };
/** Encloses each text in ‹ ›, so that texts of the added language are recognizable. */
const markTexts = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? `‹${text}›` : markTexts(text),
    ]),
  );
const folder = mkdtempSync(join(tmpdir(), 'languages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'eo.json'), JSON.stringify({ name: 'Made up', texts: markTexts(en) }));
const [translation] = readTranslations(folder, en);
if (!translation) throw new Error('The folder has no language');
const { tag, texts, name } = translation;

const service = setUpFakeService();

const withAddedLanguage = (page: ReactNode) => (
  <MessagesProvider language={tag} messages={texts}>
    <ClientErrorTranslation />
    <DataProvider>{page}</DataProvider>
  </MessagesProvider>
);

test.each([
  ['nodes', <NodesView key="nodes" />],
  ['targets', <TargetsView key="targets" />],
])('the headings and column heads of the page of %s are in the added language', async (_, page) => {
  service().onExamples(...registry.filter(({ method }) => method === 'GET'));
  const { container } = renderPage(withAddedLanguage(page), { hasOwnProvider: true });
  await waitFor(() => expect(container.querySelector('[aria-busy="true"]')).toBeNull());
  const headings = await screen.findAllByRole('heading');
  for (const { textContent } of headings) expect(textContent).toMatch(/^‹.*›$/);
  const columns = screen.queryAllByRole('columnheader').filter(({ textContent }) => textContent !== '');
  for (const { textContent } of columns) expect(textContent).toContain('‹');
});

test('the language settings list the added language by its own name, and select it', () => {
  renderPage(
    withAddedLanguage(
      <LanguagePanel
        choice={tag}
        browserLanguage="en"
        languages={[
          { tag: 'en', name: 'English' },
          { tag, name },
        ]}
      />,
    ),
    { hasOwnProvider: true },
  );
  expect(screen.getByRole<HTMLOptionElement>('option', { name: 'Made up' }).selected).toBe(true);
});
