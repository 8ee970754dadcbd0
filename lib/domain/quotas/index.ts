export {
  checkRenditionQuota,
  checkStorageQuota,
  findTeamOfContent,
  lockAndFindLiveStreamRejection,
  readUploadLimit,
  findStorageRejection,
} from './check-quotas';
export { getQuotas, getTeamQuotas, setTeamQuotas } from './manage-quotas';
export { readExhaustedTeams, readQuotas, readQuotaUse } from './read-quotas';
export { readStorageRoom, reserveStorage } from './reserve-storage';
