import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getMe } from '@/lib/contract/accounts/account';
import {
  createTeam,
  listTeamMembers,
  listTeams,
  teamExample,
  updateTeam,
} from '@/lib/contract/accounts/team';
import { createTeamInvitation, listTeamInvitations } from '@/lib/contract/accounts/team-invitation';
import { CreateTeamDialog } from './create-team';
import { TeamPanel } from './team-panel';
import { TeamProvider } from './use-team';

const service = setUpFakeService();
const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
});

test('a team can be created only with a name, whose outer spaces are removed', async () => {
  service().onExamples(createTeam);
  const { user } = renderPage(<CreateTeamDialog open onOpenChange={() => undefined} />);
  const create = await screen.findByRole<HTMLButtonElement>('button', { name: 'Create team' });
  expect(create.disabled).toBe(true);
  await user.type(await nameField(), ' Lake TV ');
  await user.click(create);
  await expect.poll(() => service().callsOf(createTeam)[0]?.body).toEqual({ name: 'Lake TV' });
});

test('an error of renaming a team is shown, and an email address is invited with a role', async () => {
  service().onExamples(getMe, listTeams, listTeamMembers, listTeamInvitations, createTeamInvitation);
  service().reject(updateTeam, 'invalid', { field: 'name', message: 'is used' });
  const { user } = renderPage(
    <TeamProvider value={{ id: teamExample.id, name: 'Lake', role: 'owner' }}>
      <TeamPanel />
    </TeamProvider>,
  );
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' });
  expect([(await nameField()).value, save.disabled]).toEqual(['Lake', true]);
  await user.type(await nameField(), ' TV{Enter}');
  await screen.findByRole('textbox', { name: 'Name', description: 'Is used' });
  expect(service().callsOf(updateTeam)[0]?.body).toEqual({ name: 'Lake TV' });
  await user.click(screen.getByRole('button', { name: 'Invite member' }));
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ada@example.com');
  await user.click(screen.getByRole('button', { name: 'Create invitation' }));
  await screen.findByRole('dialog', { name: 'Invitation created' });
  expect(service().callsOf(createTeamInvitation)[0]?.body).toEqual({
    email: 'ada@example.com',
    role: 'developer',
  });
});
