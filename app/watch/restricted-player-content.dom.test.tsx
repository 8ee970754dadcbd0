import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { enterPlaybackPassword } from '@/lib/contract/access/playback-token';
import RestrictedPlayerContent, { type PlaybackRestriction } from './restricted-player-content';

const service = setUpFakeService();
const playbackId = 'f3a1h2v9c8x7m6n5';
const src = `https://cdn.example/hls/${playbackId}/index.m3u8`;

beforeEach(() => window.sessionStorage.clear());

const openPlayer = (restriction: Partial<PlaybackRestriction>) =>
  renderPage(
    <RestrictedPlayerContent
      restriction={{ playbackId, type: 'password', proof: null, ...restriction }}
      src={src}
      title="Town hall"
    />,
  );
const phase = () => screen.getByRole('region', { name: 'Player: Town hall' }).dataset['phase'];

test('a wrong password shows an error; the right password starts the player, and its token is kept for the tab', async () => {
  service().reject(enterPlaybackPassword, 'forbidden', { field: 'password', message: 'is wrong' });
  const { user, unmount } = openPlayer({});
  const field = screen.getByLabelText('Password');
  await user.type(field, 'open barley{Enter}');
  await screen.findByText('Wrong password');
  expect(phase()).toBe('rejected');
  const response = exampleOf(enterPlaybackPassword);
  service().on(enterPlaybackPassword, response);
  await user.clear(field);
  await user.type(field, 'open sesame');
  await user.click(screen.getByRole('button', { name: 'Watch' }));
  await waitFor(() => expect(phase()).not.toBe('rejected'));
  expect(
    service()
      .callsOf(enterPlaybackPassword)
      .map(({ body }) => body.password),
  ).toEqual(['open barley', 'open sesame']);
  expect(window.sessionStorage.getItem(`headwater.token.${playbackId}`)).toBe(response.token);
  unmount();
  openPlayer({});
  expect(phase()).not.toBe('rejected');
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test('after too many wrong passwords, the waiting time is shown', async () => {
  service().reject(enterPlaybackPassword, 'rate_limited', 'too many wrong passwords');
  const { user } = openPlayer({});
  await user.type(screen.getByLabelText('Password'), 'open rye{Enter}');
  // The rejection has no Retry-After header, for which the form assumes a minute.
  await screen.findByText(/Too many wrong passwords\. Try again in 1 minute\./);
});

test('with a country limit, the player loads the playlist before a password is requested', () => {
  openPlayer({ hasCountryLimit: true });
  expect(phase()).not.toBe('rejected');
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test.each([
  ['country', 'Not available in your country'],
  ['country_unknown', 'Your country is not known'],
])('a viewer rejected because of %s is not asked for a password', (rejection, title) => {
  openPlayer({ rejection });
  screen.getByText(title);
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test.each([
  ['jwt', 'This link is not enough'],
  ['webhook', 'Watch this on the owner’s site'],
] as const)(
  'with the policy %s and no proof of access in the URL, the player is not started, and the page explains: %s',
  (type, title) => {
    openPlayer({ type });
    screen.getByText(title);
    expect(phase()).toBe('rejected');
  },
);

test('an embed on a site that is not allowed has no buttons', () => {
  openPlayer({ type: 'public', rejection: 'origin' });
  screen.getByText('Not available on this site');
  expect(screen.queryByRole('button')).toBeNull();
});
