export { insertTeam } from './create-team';
export { followOwners } from './follow-owners';
export { purgeTeams } from './purge-teams';
