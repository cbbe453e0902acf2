/** Loaded into every child: ends it when the parent died without a chance to say so. */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
// Listening must not keep a program alive that has nothing else to do.
process.channel?.unref()
