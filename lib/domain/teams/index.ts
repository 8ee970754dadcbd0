export { updateStatusOfOwnedTeams } from './owned-teams';
export { requireTeamRole } from './require-team-role';
export { addMember, changeRole, listMembers, removeMember } from './members';
export { expireDeletedTeams } from './expire-teams';
export {
  createTeam,
  deleteTeam,
  getTeam,
  insertTeam,
  listAllTeams,
  listTeams,
  renameTeam,
  setStreamMails,
} from './teams';
