/** How long to look again for what a loop does: as long as a busy machine may need. */
export const patiently = { timeout: 25_000, interval: 50 }
