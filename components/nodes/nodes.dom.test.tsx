import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { NodesView } from './nodes-view';
import { exampleItemOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { listNodes, type Node, updateNode } from '@/lib/contract/nodes/node';

const service = setUpFakeService();
afterEach(() => void vi.useRealTimers());
const node = (change: Partial<Node> = {}): Node =>
  exampleItemOf(listNodes, { id: crypto.randomUUID(), lastSeen: Date.now(), ...change });

function openPage(...nodes: readonly Node[]) {
  service().on(listNodes, [...nodes]);
  return renderPage(<NodesView />, { at: '/admin/nodes' });
}

const row = async (name: RegExp) => within(await screen.findByRole('row', { name }));

test('shows the state of each node', async () => {
  openPage(
    node({ streamCount: 1_204, cpuHeadroomRatio: 0.64, diskFreeBytes: 214_000_000_000 }),
    node({ role: 'origin', url: 'http://10.0.0.2:8080', streamCount: null, ingestUrl: null }),
    node({ slot: 2, url: 'http://10.0.0.2:4002' }),
  );
  const live = await row(/10\.0\.0\.2:4000/);
  for (const text of ['Live', 'Online', '1,204', '64%', '214 GB', '0.1.0', /eu-west/]) live.getByText(text);
  const origin = await row(/10\.0\.0\.2:8080/);
  origin.getByText('Origin');
  origin.getByText('–');
  (await row(/10\.0\.0\.2:4002/)).getByText('Live 2');
});

test('shows since when a node has been draining or silent', async () => {
  vi.setSystemTime(Date.now());
  const fiveMinutesAgo = Date.now() - 5 * 60_000;
  openPage(
    node({ url: 'http://10.0.0.3:4000', state: 'draining', drainingSince: fiveMinutesAgo }),
    node({ url: 'http://10.0.0.4:4000', state: 'unresponsive', lastSeen: fiveMinutesAgo }),
  );
  const draining = await row(/10\.0\.0\.3:4000/);
  draining.getByText('Draining');
  expect(draining.getByText('5 min ago').parentElement?.textContent).toBe('since 5 min ago');
  const silent = await row(/10\.0\.0\.4:4000/);
  silent.getByText('Not responding');
  expect(silent.getByText('5 min ago').parentElement?.textContent).toBe('last seen 5 min ago');
});

test('shows how many more streams a live node can take, and why it is full', async () => {
  openPage(
    node({ roomStreams: 12 }),
    node({
      url: 'http://10.0.0.3:4000',
      roomStreams: 0,
      fullReason: 'the server has reached its limit of 3 streams',
    }),
  );
  (await row(/10\.0\.0\.2:4000/)).getByText('room for 12 more streams');
  const full = await row(/10\.0\.0\.3:4000/);
  for (const text of ['Full', 'The server has reached its limit of 3 streams.', '0 streams'])
    full.getByText(text);
  expect(full.queryByText('Online')).toBeNull();
});

test('drains a live node after a confirmation, and resumes it', async () => {
  const requests: unknown[] = [];
  service().on(updateNode, ({ body }) => void requests.push(body));
  const live = node();
  const { user } = openPage(live, node({ role: 'jobs', url: 'http://10.0.0.2:4001' }));
  const open = (name: string) =>
    user.click(screen.getByRole('button', { name: `Actions for the node ${name}` }));
  await row(/10\.0\.0\.2:4000/);
  await open('Live 10.0.0.2:4000');
  await user.click(await screen.findByRole('menuitem', { name: 'Drain…' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Drain 10.0.0.2:4000?' }));
  dialog.getByText(/No other machine accepts streams now/);
  expect(requests).toEqual([]);
  service().on(listNodes, [{ ...live, state: 'draining', drainingSince: Date.now() }]);
  await user.click(dialog.getByRole('button', { name: 'Drain' }));
  await screen.findByText('The machine is being drained');
  await screen.findByText('Draining');
  await open('Live 10.0.0.2:4000');
  await user.click(await screen.findByRole('menuitem', { name: 'Put back into service' }));
  await screen.findByText('The node accepts new publishes within two seconds');
  expect(requests).toEqual([{ draining: true }, { draining: false }]);
});

test('shows whether another machine can take the streams; only live nodes drain', async () => {
  const otherMachine = { machineId: crypto.randomUUID(), url: 'http://10.0.0.9:4000' };
  const { user } = openPage(node(), node(otherMachine), node({ role: 'jobs', url: 'http://10.0.0.2:4001' }));
  await user.click(await screen.findByRole('button', { name: 'Actions for the node Jobs 10.0.0.2:4001' }));
  await screen.findByRole('menuitem', { name: 'Copy node ID' });
  expect(screen.queryByRole('menuitem', { name: 'Drain…' })).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Actions for the node Live 10.0.0.9:4000' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Drain…' }));
  await screen.findByText(/Encoders that reconnect to another machine continue/);
});

test('shows that there are no nodes', async () => {
  openPage();
  await screen.findByRole('heading', { name: 'No nodes' });
});

test('shows why nodes could not be loaded, and retries', async () => {
  service().reject(listNodes, 'unavailable', 'the database is not responding, try again');
  const { user } = renderPage(<NodesView />, { at: '/admin/nodes' });
  const alert = within(await screen.findByRole('alert'));
  alert.getByText(/database is not responding/i);
  service().on(listNodes, [node()]);
  await user.click(alert.getByRole('button', { name: 'Try again' }));
  await row(/10\.0\.0\.2:4000/);
});
