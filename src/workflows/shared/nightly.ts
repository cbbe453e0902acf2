/** Where nothing is set: an hour when few shops are busy, if the server keeps the shop's time. */
const HOUR = 3

/**
 * The schedule of a job of the night, in the server's time zone. `SVC_NIGHT` is the hour, 0 to 23: a server in UTC would do the
 * night's work in an American evening. From the environment alone: Medusa reads schedules before it knows any option.
 *
 * @param minute not on the hour, when other jobs run
 */
export function nightly(minute: number, hour: string | undefined = process.env.SVC_NIGHT): string {
  const isHour = hour !== undefined && /^([01]?\d|2[0-3])$/.test(hour.trim())
  return `${minute} ${isHour ? Number(hour) : HOUR} * * *`
}
