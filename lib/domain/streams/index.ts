export { findStreamOfNearKey } from './publishing/find-near-key';
export { createStream } from './create-stream';
export { deleteStream, terminateStream } from './delete-stream';
export { type ChildPlayback, findChildPlayback } from './viewers/find-child-playback';
export { describeEmbed, findNamedPlayback, findPlayback, playlistUrlOf } from './viewers/find-playback';
export { getTotalViews } from './viewers/total-views';
export { getHealth } from './health/get-health';
export { getPlaybackStatus } from './viewers/get-playback-status';
export { getStream } from './get-stream';
export { getViewers, listViewers } from './viewers/get-viewers';
export { type HealthRecord, expireHealthSamples, recordHealth } from './health/record-health';
export { reportStalling } from './viewers/report-stalling';
export { type ViewersSeen, expireViewers, recordViewers } from './viewers/record-viewers';
export { describePublicStatus } from './viewers/describe-public-status';
export { type ShownRecording, listShownRecordings } from './viewers/list-shown-recordings';
export { getPreview } from './viewers/get-preview';
export { listStreams } from './list-streams';
export { addTarget, removeTarget } from './targets/stream-targets';
export { getTestPattern, setTestPattern, withdrawTestPattern } from './set-test-pattern';
export { setRecord, updateStream } from './update-stream';
export {
  authorizePublish,
  authorizeStandby,
  PublishRejectedError,
  findHolder,
  findStreamOfKey,
  type AuthorizedPublish,
  type YieldedPublish,
} from './publishing/authorize-publish';
export {
  type PublishRow,
  type TestPattern,
  listTestPatterns,
  readPublishes,
  readTestPattern,
} from './publishing/list-publishes';
export {
  type LiveSettings,
  type LocatedLive,
  type ProgramSettings,
  locateLive,
  endsStandby,
  noProgram,
  readLiveSettings,
} from './publishing/live-settings';
export { markIdle } from './publishing/end-publish';
export { markActive, reportIssues } from './publishing/mark-active';
export {
  recordInputSwitch,
  reportProgram,
  recordSlateEnd,
  recordSlateStart,
} from './publishing/report-program';
export { emitRecordingEvent } from './publishing/recording-events';
export { reclaimPublish, releaseStreamsOfDeadNodes, releaseStreamsOfNode } from './publishing/release-node';
export { reportLateStreams } from './report-late';
export { reportWarnings } from './health/report-warnings';
export { recordRejection } from './publishing/record-rejection';
export { recordProgress, type Progress } from './health/record-progress';
export { reportTarget, type TargetReport } from './targets/report-target';
export { getMultistream } from './targets/get-multistream';
export { startPull } from './pull/start-pull';
export { upsertPullStream } from './pull/upsert-pull';
export { type LeasedPull, endExpiredPull, leasePulls, releasePulls, reportPull } from './pull/lease-pulls';
export { rotateKey } from './rotate-key';
export { switchInput } from './switch-input';
export {
  deleteStreamPoster,
  readStreamPosterToken,
  requestStreamPosterUpload,
  setStreamPoster,
} from './poster';
export {
  deleteSlatePicture,
  readSlateToken,
  deleteOrphanedSlatePictures,
  requestSlateUpload,
  setSlatePicture,
} from './slate-picture';
