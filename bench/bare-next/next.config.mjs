/** The least that Next can be: what a route costs before it does anything. */
export default { poweredByHeader: false, typescript: { ignoreBuildErrors: true } };
