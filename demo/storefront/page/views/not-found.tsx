import { useTitle } from "../title"

export function NotFoundPage() {
  useTitle("Not found")
  return (
    <div class="page message stack center gap-16">
      <h1 class="title">There is nothing at this address</h1>
      <p class="soft">It may have been sold out and taken away.</p>
      <a class="button primary" href="/">
        See everything
      </a>
    </div>
  )
}
