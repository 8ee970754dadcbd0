export { followOwners } from './follow-owners';
export { roleIn } from './internal';
export { addMember, changeRole, listMembers, removeMember } from './members';
export { expireDeletedTeams } from './purge-teams';
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
