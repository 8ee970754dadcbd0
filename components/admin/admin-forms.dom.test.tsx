import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { createInvitation, listInvitations } from '@/lib/contract/accounts/invitation';
import { getTeamQuotas, updateTeamQuotas } from '@/lib/contract/accounts/quotas';
import { InvitationsView } from './invitations-view';
import { QuotasDialog } from './quotas-dialog';

const service = setUpFakeService();

test('quotas entered in GB are sent in bytes, and invalid text shows an error at its field and is not sent', async () => {
  const ownQuotas = {
    liveStreams: 3,
    storageBytes: null,
    uploadBytes: null,
    renditions: null,
    viewerBytes: null,
  };
  service().on(getTeamQuotas, exampleOf(getTeamQuotas, { own: ownQuotas }));
  service().on(updateTeamQuotas, exampleOf(updateTeamQuotas));
  const onClose = vi.fn();
  const team = { id: crypto.randomUUID(), name: 'Lake TV' };
  const { user } = renderPage(<QuotasDialog team={team} onClose={onClose} />);
  const streams = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Concurrent live streams' });
  expect(streams.value).toBe('3');
  await user.clear(streams);
  await user.type(streams, 'many');
  await user.type(screen.getByRole('textbox', { name: 'Storage in GB' }), '1.5{Enter}');
  await screen.findByRole('textbox', { name: 'Concurrent live streams', description: /Enter a number/ });
  expect([service().callsOf(updateTeamQuotas), onClose.mock.calls]).toEqual([[], []]);
  await user.clear(streams);
  await user.type(streams, 'unlimited{Enter}');
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(service().callsOf(updateTeamQuotas)[0]?.body).toMatchObject({
    liveStreams: 'unlimited',
    storageBytes: 1_500_000_000,
    renditions: null,
  });
});

async function openInvitationDialog() {
  service().on(listInvitations, []);
  const { user } = renderPage(<InvitationsView />);
  await user.click(screen.getByRole('button', { name: 'Invite person' }));
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'Invite person' })) };
}

const invitedEmails = () =>
  service()
    .callsOf(createInvitation)
    .map(({ body }) => body.email);

test('an error of the service is shown at the email field of the invitation', async () => {
  service().reject(createInvitation, 'invalid', {
    field: 'email',
    message: 'ada@example.com already has an account',
  });
  const { user, dialog } = await openInvitationDialog();
  await user.type(dialog.getByRole('textbox', { name: 'Email (optional)' }), 'ada@example.com{Enter}');
  await dialog.findByRole('textbox', {
    name: 'Email (optional)',
    description: /ada@example.com already has an account/,
  });
  expect(invitedEmails()).toEqual(['ada@example.com']);
});

test('an invitation without an email address is sent with null as its address', async () => {
  service().onExamples(createInvitation);
  const { user, dialog } = await openInvitationDialog();
  await user.click(dialog.getByRole('button', { name: 'Create link' }));
  await screen.findByRole('dialog', { name: 'Invitation created' });
  expect(invitedEmails()).toEqual([null]);
});
