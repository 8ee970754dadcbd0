export {
  type LiveNodeUrls,
  type NodeIdentity,
  type NodeVitals,
  registerNode,
  findLiveNodeUrls,
  findNodes,
  findOriginUrl,
  expireNodes,
  unregisterNode,
} from './nodes';
export { readCertificateState, findChallenge, updateCertificate } from './acme-certificate';
export { askNode, isRefusedConnection } from './ask-node';
export {
  type EndedStreamsResponse,
  endedStreamsPath,
  readEndedStreams,
  notifyOriginsOfEnd,
} from './ended-streams';
export { countOtherIngests, isDraining, setDraining } from './drain-nodes';
export { findMissingColumns } from './find-missing-columns';
export { findIngests } from './find-ingests';
export { listNodes } from './list-nodes';
export { readTakeoverRequest, requestTakeover, takeoverPath, type TakeoverRequest } from './takeover-request';
export {
  type RemotePublishResponse,
  publishesPath,
  readPublishRequest,
  requestPublish,
} from './remote-publish';
export { offerStandby, readStandbyOffer, standbysPath, type StandbyOffer } from './standby-relay';
export { readViewerAudio, reportViewerAudio, viewerAudioPath } from './viewer-audio';
export { openTargetTestRequest, requestTargetTest, targetTestPath } from './target-test-request';
export {
  type SeenPlayback,
  MAX_PLAYBACKS_PER_REPORT,
  readViewerReport,
  reportViewers,
  viewersPath,
} from './viewer-report';
