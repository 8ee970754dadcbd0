export const auth = {
  form: {
    email: 'Email',
    password: 'Password',
    passwordHint: '10 characters or more. A few words work better than symbols.',
    createAccount: 'Create account',
    logIn: 'Log in',
    emailMissing: 'Enter your email address, for example ada@example.com',
    passwordMissing: 'Enter your password',
    passwordShort: 'At least 10 characters',
    passwordLong: 'At most 128 characters',
  },
  logIn: {
    title: 'Log in',
    welcome: 'Welcome back.',
    newHere: 'New here? <link>Create an account</link>',
  },
  signUp: {
    tab: 'Sign up',
    title: 'Create your account',
    text: 'All you need is an email address and a password.',
    closed: 'Sign-up is closed',
    closedText: 'Ask the server operator for an account. Operators create accounts with <code></code>.',
    haveAccount: 'Have an account? <link>Log in</link>',
    taken: 'No account was created. If you already have one with this email, log in with its password.',
  },
  refusal: {
    wrong: 'Wrong email or password',
    unavailable: 'Login is temporarily unavailable',
    unreachable: 'Can’t reach the server. Check that it is running.',
  },
  /** The picture beside the form. */
  picture: {
    video: 'video',
    audio: 'audio',
    time: 'time',
    stream: 'one stream',
    text: 'Send video from OBS, ffmpeg or any RTMP encoder. It plays in every browser seconds later, from your own server.',
  },
} as const;
