/** Public URLs of this service. */
export interface ServiceUrls {
  readonly baseUrl: string;
  /** Base URL of HLS playlists and files. */
  readonly cdnUrl: string;
  /** RTMP server URL; the stream key follows after a slash. */
  readonly rtmpUrl: string;
}

/** Step of a guide, with its command or file. */
export interface GuideStep {
  readonly text: string;
  readonly code: string;
  /** Name of the file for the code; absent: the code is a shell command. */
  readonly fileName?: string;
  /** Whether the command keeps running during the next steps. */
  readonly keepsRunning?: true;
}

/** Guide to a developer's first tasks. Its steps run in order in an empty folder. */
export interface TaskGuide {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** Required programs besides curl and Node. */
  readonly requiredPrograms: readonly string[];
  readonly steps: readonly GuideStep[];
}

/** curl option that sends the API key. */
export const authOption = '-H "Authorization: Bearer $HEADWATER_API_KEY"';
/** curl option that declares a JSON body. */
export const jsonOption = "-H 'Content-Type: application/json'";
/** Shell expression that reads a field of a saved response. */
export const readFieldExpression = (responseFile: string, field: string): string =>
  `$(node -p 'require("./${responseFile}").${field}')`;

/** curl command that posts `body` and saves the response in `responseFile`. `body` must not contain single quotes. */
export const postCommand = (url: string, body: string, responseFile: string): string =>
  [`curl -sSf ${url} ${authOption} ${jsonOption} \\`, `  -d '${body}' -o ${responseFile}`].join('\n');

/**
 * ffmpeg command that publishes a 20 s test pattern to an RTMP URL, in real time (`-re`), with a keyframe every 2 s (`-g 50` at
 * 25 fps).
 */
export const publishTestVideoCommand = (url: string): string =>
  [
    'ffmpeg -re -f lavfi -i testsrc2=size=640x360:rate=25 -f lavfi -i sine -t 20 \\',
    '  -c:v libx264 -preset veryfast -pix_fmt yuv420p -g 50 -c:a aac \\',
    `  -f flv "${url}"`,
  ].join('\n');
