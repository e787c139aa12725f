/** In code points (NIST SP 800-63B-4, 3.1.1.2). The server and the pages use these limits. */
export const PASSWORD_LENGTH = { min: 15, max: 1024 };
