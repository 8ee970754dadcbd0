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
const findNameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
});

test('a team can be created only with a name, whose outer spaces are removed', async () => {
  service().onExamples(createTeam);
  const { user } = renderPage(<CreateTeamDialog open onOpenChange={() => undefined} />);
  const create = await screen.findByRole<HTMLButtonElement>('button', { name: 'Create team' });
  expect(create.disabled).toBe(true);
  await user.type(await findNameField(), ' Lake TV ');
  await user.click(create);
  await expect.poll(() => service().callsOf(createTeam)[0]?.body).toEqual({ name: 'Lake TV' });
});

function openTeamPanel() {
  service().onExamples(getMe, listTeams, listTeamMembers, listTeamInvitations, createTeamInvitation);
  return renderPage(
    <TeamProvider value={{ id: teamExample.id, name: 'Lake', role: 'owner' }}>
      <TeamPanel />
    </TeamProvider>,
  );
}

test('an error of the service about a new team name is shown at the field', async () => {
  const { user } = openTeamPanel();
  service().reject(updateTeam, 'invalid', { field: 'name', message: 'is used' });
  const saveButton = screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' });
  expect((await findNameField()).value).toBe('Lake');
  expect(saveButton.disabled).toBe(true);
  await user.type(await findNameField(), ' TV{Enter}');
  await screen.findByRole('textbox', { name: 'Name', description: 'Is used' });
  expect(service().callsOf(updateTeam)[0]?.body).toEqual({ name: 'Lake TV' });
});

test('a person is invited by email address, with the role of a developer by default', async () => {
  const { user } = openTeamPanel();
  await user.click(screen.getByRole('button', { name: 'Invite member' }));
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ada@example.com');
  await user.click(screen.getByRole('button', { name: 'Create invitation' }));
  await screen.findByRole('dialog', { name: 'Invitation created' });
  expect(service().callsOf(createTeamInvitation)[0]?.body).toEqual({
    email: 'ada@example.com',
    role: 'developer',
  });
});
