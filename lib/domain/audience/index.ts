export { type AudienceMinute, deleteAudience, recordAudience } from './record-audience';
export { mergeOldAudience } from './merge-old-audience';
export { getViewership, getViewershipNow } from './query-viewership';
export { explainStalls } from './explain-stalls';
export {
  createPlaybackReport,
  expirePlaybackReports,
  explainReport,
  readPlaybackReport,
} from './playback-reports';
export { queryAudience } from './query-audience';
