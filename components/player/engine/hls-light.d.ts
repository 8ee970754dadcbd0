/** The light build (no subtitles, no DRM) has the same interface and comes without types. */
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
