import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { DashboardFrame } from '@/app/(dashboard)/dashboard-frame';
import { defaultFeatures } from './server-features';
import { CreateStreamDialog } from '@/components/streams/list/create-stream';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { createStream } from '@/lib/contract/streams/stream-endpoints';
import type { TeamRole } from '@/lib/core/access/team-roles';

const { signOut } = vi.hoisted(() => ({ signOut: vi.fn() }));
vi.mock('next-auth/react', () => ({ getSession: () => Promise.resolve(null), signOut }));

const service = setUpFakeService();
let createdNames: string[];

beforeEach(() => {
  createdNames = [];
  signOut.mockReset();
});

const team = { id: 'ada', name: 'Ada', role: 'owner', own: true, streamMails: null, createdAt: 0 } as const;

function openFrame({ operator = false, role = 'owner' }: { operator?: boolean; role?: TeamRole } = {}) {
  return renderPage(
    <DashboardFrame
      email="ada@example.com"
      operator={operator}
      team={{ ...team, role }}
      teams={[team]}
      features={defaultFeatures}
    >
      <CreateStreamDialog onCreated={({ name }) => createdNames.push(name)} />
    </DashboardFrame>,
    { at: '/streams', hasOwnProvider: true },
  );
}

test('a form stays open when the sign-in session ends, so that it can be sent again', async () => {
  service().reject(createStream, 'unauthenticated', 'log in first');
  const { user } = openFrame();
  await user.click(screen.getByRole('button', { name: 'Create stream' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Town hall{Enter}');
  const logInDialog = within(await screen.findByRole('dialog', { name: 'You are logged out' }));
  const link = logInDialog.getByRole('link', { name: 'Log in' });
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/login', '_blank']);
  // Two buttons have this name: the cross in the corner and the one beside “Log in”.
  const [close] = logInDialog.getAllByRole('button', { name: 'Close' });
  if (close) await user.click(close);
  const form = within(await screen.findByRole('dialog', { name: 'Create stream' }));
  expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Town hall');
  service().onExamples(createStream);
  await user.click(form.getByRole('button', { name: 'Create stream' }));
  await expect.poll(() => createdNames).toEqual([exampleOf(createStream).name]);
});

test('an error response that is unrelated to the sign-in session opens no log-in dialog', async () => {
  service().reject(createStream, 'forbidden', 'your account is suspended');
  const { user } = openFrame();
  await user.click(screen.getByRole('button', { name: 'Create stream' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Town hall{Enter}');
  await screen.findByText('Your account is suspended');
  expect(screen.queryByRole('dialog', { name: 'You are logged out' })).toBeNull();
});

test('a banner is shown while the browser is offline', async () => {
  openFrame();
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const respondingFetch = globalThis.fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  act(() => void window.dispatchEvent(new Event('offline')));
  await screen.findByText(/You are offline/);
  online.mockReturnValue(true);
  vi.stubGlobal('fetch', respondingFetch);
  await expect.poll(() => screen.queryByText(/You are offline|Server not responding/)).toBeNull();
  online.mockRestore();
});

test('"g" and a second key open a page, but not while typing', async () => {
  const { user, visitedPaths } = openFrame();
  await user.keyboard('gs');
  expect(visitedPaths).toEqual(['/streams']);
  await user.click(screen.getByRole('button', { name: 'Create stream' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'ga');
  expect(visitedPaths).toEqual(['/streams']);
});

test('only operators can open the admin area, with its link or its keys', async () => {
  const frame = openFrame();
  const links = () =>
    screen.queryAllByRole('link', { name: 'Admin' }).map((link) => link.getAttribute('href'));
  expect(links()).toEqual([]);
  await frame.user.keyboard('go');
  expect(frame.visitedPaths).toEqual([]);
  frame.unmount();
  const { user, visitedPaths } = openFrame({ operator: true });
  expect(links()).toEqual(['/admin']);
  await user.keyboard('go');
  expect(visitedPaths).toEqual(['/admin']);
});

test('a member with the role of a viewer sees no button that creates a stream', () => {
  openFrame({ role: 'viewer' });
  expect(screen.queryByRole('button', { name: 'Create stream' })).toBeNull();
});
