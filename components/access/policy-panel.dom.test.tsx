import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { exampleItemOf, exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import type { PlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { createPlaybackToken } from '@/lib/contract/access/playback-token';
import { getStream, updateStream } from '@/lib/contract/streams/stream-endpoints';
import { listWebhooks } from '@/lib/contract/webhooks/webhook-endpoints';
import { ServerFeaturesProvider, defaultFeatures } from '@/components/shell/server-features';
import { StreamPolicyPanel } from './policy-panel';
import { ViewerLink } from './viewer-link';

const service = setUpFakeService();

function openPanel(playbackPolicy?: PlaybackPolicy, knowsCountries = false) {
  const stream = exampleOf(getStream, playbackPolicy ? { playbackPolicy } : {});
  service().onExamples(updateStream);
  const { user } = renderPage(
    <ServerFeaturesProvider value={{ ...defaultFeatures, knowsCountries }}>
      <StreamPolicyPanel stream={stream} />
    </ServerFeaturesProvider>,
  );
  const panel = within(screen.getByRole('region', { name: 'Who can watch' }));
  return {
    user,
    panel,
    choosePolicy: (name: RegExp) => user.click(panel.getByRole('radio', { name })),
    password: () => panel.getByRole<HTMLInputElement>('textbox', { name: 'Password for viewers' }),
    save: () => user.click(panel.getByRole('button', { name: 'Save' })),
  };
}

const requestBodies = () =>
  service()
    .callsOf(updateStream)
    .map(({ body }) => body);

test('the form cannot be saved without a change', () => {
  const { panel } = openPanel();
  expect(panel.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
});

test('a password policy requires a password of at least 4 characters, which is sent', async () => {
  const { user, panel, choosePolicy, password, save } = openPanel();
  await choosePolicy(/^Password/);
  await save();
  await panel.findByText('Enter a password');
  await user.type(password(), 'abc');
  await save();
  await panel.findByText('Use 4 to 200 characters');
  expect(requestBodies()).toEqual([]);
  await user.type(password(), 'def');
  await save();
  await screen.findByText('Access saved');
  expect(requestBodies()).toEqual([{ playbackPolicy: { type: 'password', password: 'abcdef' } }]);
});

test('an empty password field is not sent, so that the service keeps the stored password', async () => {
  const { user, panel, save } = openPanel({ type: 'password' });
  panel.getByText('Leave empty to keep the current password.');
  await user.type(panel.getByRole('textbox', { name: 'Allowed origins' }), 'https://example.com{Enter}');
  await save();
  await screen.findByText('Access saved');
  expect(requestBodies()).toEqual([
    { playbackPolicy: { type: 'password', allowedOrigins: ['https://example.com'] } },
  ]);
});

test('an origin with a wildcard host prevents saving', async () => {
  const { user, panel, save } = openPanel({ type: 'password' });
  await user.type(panel.getByRole('textbox', { name: 'Allowed origins' }), 'https://*.a.example');
  await save();
  panel.getByRole('textbox', {
    name: 'Allowed origins',
    description: /a host name with \* is not supported/,
  });
  expect(requestBodies()).toEqual([]);
});

test('the choice “Anyone” removes the policy: null is sent', async () => {
  const { choosePolicy, save } = openPanel({ type: 'jwt' });
  await choosePolicy(/^Anyone/);
  await save();
  await screen.findByText('Access saved');
  expect(requestBodies()).toEqual([{ playbackPolicy: null }]);
});

test('a webhook policy requires a webhook, and is sent with refresh interval, fallback and context', async () => {
  const webhook = exampleItemOf(listWebhooks, { name: 'Gate' });
  service().on(listWebhooks, pageOf([webhook]));
  const { user, panel, choosePolicy, save } = openPanel();
  await choosePolicy(/^Your server decides/);
  await panel.findByRole('option', { name: /^Gate/ });
  await save();
  await panel.findByRole('combobox', { name: 'Webhook', description: /Choose a webhook/ });
  await user.selectOptions(panel.getByRole('combobox', { name: 'Webhook' }), webhook.id);
  const refresh = panel.getByRole('textbox', { name: 'Ask again after' });
  await user.clear(refresh);
  await user.type(refresh, '5');
  await save();
  await panel.findByText('Enter a whole number from 10 to 86,400');
  await user.clear(refresh);
  await user.type(refresh, '60');
  await user.selectOptions(panel.getByRole('combobox', { name: 'If the webhook does not respond' }), 'allow');
  await user.click(panel.getByRole('textbox', { name: 'Context' }));
  await user.paste('gold');
  await save();
  await panel.findByText('Enter a JSON object of up to 2,048 characters, or leave this empty');
  await user.clear(panel.getByRole('textbox', { name: 'Context' }));
  await user.paste('{ "plan": "gold" }');
  await save();
  await screen.findByText('Access saved');
  expect(requestBodies()).toEqual([
    {
      playbackPolicy: {
        type: 'webhook',
        webhookId: webhook.id,
        refreshInterval: 60,
        webhookFallback: 'allow',
        webhookContext: { plan: 'gold' },
      },
    },
  ]);
});

test('no countries are offered if the server cannot determine them', () => {
  expect(openPanel().panel.queryByRole('combobox', { name: 'Countries' })).toBeNull();
});

test('countries are chosen by name and sent as codes if the server can determine them', async () => {
  const { user, panel, save } = openPanel(undefined, true);
  const rule = panel.getByRole('combobox', { name: 'Countries' });
  await user.selectOptions(rule, 'Only these countries');
  await save();
  await panel.findByText('Add at least one country');
  for (const country of ['Germany', 'Austria', 'France']) {
    await user.selectOptions(panel.getByRole('combobox', { name: 'Country' }), country);
    await user.click(panel.getByRole('button', { name: 'Add country' }));
  }
  await user.click(panel.getByRole('button', { name: 'Remove Austria' }));
  const chosenCountries = within(panel.getByRole('list', { name: 'Chosen countries' }));
  expect(chosenCountries.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Germany',
    'France',
  ]);
  await save();
  await screen.findByText('Access saved');
  expect(requestBodies()).toEqual([{ playbackPolicy: { type: 'public', allowedCountries: ['DE', 'FR'] } }]);
});

test('countries can be removed on a server that can no longer determine them', async () => {
  const { user, panel, save } = openPanel({ type: 'jwt', blockedCountries: ['FR'] });
  const rule = panel.getByRole<HTMLSelectElement>('combobox', { name: 'Countries' });
  expect(rule.selectedOptions[0]?.textContent).toBe('All countries but these');
  panel.getByText(/no longer has a country database/);
  await user.selectOptions(rule, 'Any country');
  await save();
  await screen.findByText('Access saved');
  expect(requestBodies()).toEqual([{ playbackPolicy: { type: 'jwt' } }]);
});

test('an error of the service appears at its field, and the input is kept', async () => {
  const { user, panel, choosePolicy, password, save } = openPanel();
  service().reject(updateStream, 'invalid', {
    field: 'playbackPolicy.password',
    message: 'is too well known',
  });
  await choosePolicy(/^Password/);
  await user.type(password(), 'password');
  await save();
  await panel.findByRole('textbox', { name: 'Password for viewers', description: /Is too well known/ });
  expect(password().value).toBe('password');
});

test('a link for one viewer has the chosen lifetime, and its token is in the URL of the watch page and in the embed code', async () => {
  const example = exampleOf(createPlaybackToken);
  service().on(createPlaybackToken, example);
  const { user } = renderPage(
    <ViewerLink baseUrl="https://live.example" playbackId="f3a1h2v9c8x7m6n5" title="Town hall" />,
  );
  await user.selectOptions(screen.getByRole('combobox', { name: 'Playback can start for' }), 'week');
  await user.click(screen.getByRole('button', { name: 'Create link' }));
  const page = await screen.findByRole('group', { name: 'Watch page with token' });
  expect(page.textContent).toBe(`https://live.example/watch/f3a1h2v9c8x7m6n5?token=${example.token}`);
  expect(screen.getByLabelText('Embed code with token', { selector: 'pre' }).textContent).toContain(
    `/embed/f3a1h2v9c8x7m6n5?token=${example.token}"`,
  );
  expect(service().callsOf(createPlaybackToken)[0]?.body).toEqual({ expiresIn: 7 * 24 * 3_600 });
});
