import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { NodesView } from './nodes-view';
import { exampleItemOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { listNodes, type Node, updateNode } from '@/lib/contract/nodes/node';

const service = setUpFakeService();
afterEach(() => void vi.useRealTimers());
/** The node of the API reference, a live node at 10.0.0.2:4000, with changes. */
const exampleNode = (overrides: Partial<Node> = {}): Node =>
  exampleItemOf(listNodes, { id: crypto.randomUUID(), lastSeen: Date.now(), ...overrides });

function openPage(...nodes: readonly Node[]) {
  service().on(listNodes, [...nodes]);
  return renderPage(<NodesView />, { at: '/admin/nodes' });
}

const findRow = async (name: RegExp) => within(await screen.findByRole('row', { name }));

test('shows the role, state and figures of each node', async () => {
  openPage(
    exampleNode({ streamCount: 1_204, cpuHeadroomRatio: 0.64, diskFreeBytes: 214_000_000_000 }),
    exampleNode({ role: 'origin', url: 'http://10.0.0.2:8080', streamCount: null, ingestUrl: null }),
    exampleNode({ slot: 2, url: 'http://10.0.0.2:4002' }),
  );
  const live = await findRow(/10\.0\.0\.2:4000/);
  for (const text of ['Live', 'Online', '1,204', '64%', '214 GB', '0.1.0', /eu-west/]) live.getByText(text);
  const origin = await findRow(/10\.0\.0\.2:8080/);
  origin.getByText('Origin');
  origin.getByText('–');
  (await findRow(/10\.0\.0\.2:4002/)).getByText('Live 2');
});

test('shows since when a node has been draining or unresponsive', async () => {
  // Stops the clock, so that the age stays at exactly 5 minutes.
  vi.setSystemTime(Date.now());
  const fiveMinutesAgo = Date.now() - 5 * 60_000;
  openPage(
    exampleNode({ url: 'http://10.0.0.3:4000', state: 'draining', drainingSince: fiveMinutesAgo }),
    exampleNode({ url: 'http://10.0.0.4:4000', state: 'unresponsive', lastSeen: fiveMinutesAgo }),
  );
  const draining = await findRow(/10\.0\.0\.3:4000/);
  draining.getByText('Draining');
  expect(draining.getByText('5 min ago').parentElement?.textContent).toBe('since 5 min ago');
  const unresponsive = await findRow(/10\.0\.0\.4:4000/);
  unresponsive.getByText('Not responding');
  expect(unresponsive.getByText('5 min ago').parentElement?.textContent).toBe('last seen 5 min ago');
});

test('shows how many more streams a live node can take, and why it is full', async () => {
  openPage(
    exampleNode({ roomStreams: 12 }),
    exampleNode({
      url: 'http://10.0.0.3:4000',
      roomStreams: 0,
      fullReason: 'the server has reached its limit of 3 streams',
    }),
  );
  (await findRow(/10\.0\.0\.2:4000/)).getByText('room for 12 more streams');
  const full = await findRow(/10\.0\.0\.3:4000/);
  for (const text of ['Full', 'The server has reached its limit of 3 streams.', '0 streams'])
    full.getByText(text);
  expect(full.queryByText('Online')).toBeNull();
});

test('drains a live node after a confirmation, and resumes it', async () => {
  const requests: unknown[] = [];
  service().on(updateNode, ({ body }) => void requests.push(body));
  const live = exampleNode();
  const { user } = openPage(live, exampleNode({ role: 'jobs', url: 'http://10.0.0.2:4001' }));
  const openActions = (name: string) =>
    user.click(screen.getByRole('button', { name: `Actions for the node ${name}` }));
  await findRow(/10\.0\.0\.2:4000/);
  await openActions('Live 10.0.0.2:4000');
  await user.click(await screen.findByRole('menuitem', { name: 'Drain…' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Drain 10.0.0.2:4000?' }));
  dialog.getByText(/No other machine accepts streams now/);
  expect(requests).toEqual([]);
  service().on(listNodes, [{ ...live, state: 'draining', drainingSince: Date.now() }]);
  await user.click(dialog.getByRole('button', { name: 'Drain' }));
  await screen.findByText('The machine is being drained');
  await screen.findByText('Draining');
  await openActions('Live 10.0.0.2:4000');
  await user.click(await screen.findByRole('menuitem', { name: 'Put back into service' }));
  await screen.findByText('The node accepts new publishes within two seconds');
  expect(requests).toEqual([{ draining: true }, { draining: false }]);
});

test('offers no draining for a node with another role than live', async () => {
  const { user } = openPage(exampleNode({ role: 'jobs', url: 'http://10.0.0.2:4001' }));
  await user.click(await screen.findByRole('button', { name: 'Actions for the node Jobs 10.0.0.2:4001' }));
  await screen.findByRole('menuitem', { name: 'Copy node ID' });
  expect(screen.queryByRole('menuitem', { name: 'Drain…' })).toBeNull();
});

test('shows in the confirmation that another machine can take the streams', async () => {
  const otherMachine = { machineId: crypto.randomUUID(), url: 'http://10.0.0.9:4000' };
  const { user } = openPage(exampleNode(), exampleNode(otherMachine));
  await user.click(await screen.findByRole('button', { name: 'Actions for the node Live 10.0.0.9:4000' }));
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
  service().on(listNodes, [exampleNode()]);
  await user.click(alert.getByRole('button', { name: 'Try again' }));
  await findRow(/10\.0\.0\.2:4000/);
});
