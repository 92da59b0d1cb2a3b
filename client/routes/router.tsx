// The routes of the app. Heavy pages load when first visited; private ones require a user and return there after signing in.
import { Outlet, createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { identity, useIdentity } from '../account/identity.ts'
import { showsModel } from '../early/files.ts'
import { MishapPage } from '../ui/loading/Mishap.tsx'
import { framed } from '../ui/framed.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { forgetKey, keepKey } from '../run/keptKey.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { ModelEditor } from './editors.tsx'
import { readBy, readSearch } from '../store/area.ts'
import { readValue } from '../validate.ts'
import * as z from '../zod.ts'
import { knownPath, safePath } from './path.ts'

const Login = framed(async () => (await import('../account/Login.tsx')).Login)
const Register = framed(async () => (await import('../account/Register.tsx')).Register)
const Activate = framed(async () => (await import('../account/Activate.tsx')).Activate)
const Forgot = framed(async () => (await import('../account/Forgot.tsx')).Forgot)
const Disclaimer = framed(async () => (await import('./Disclaimer.tsx')).Disclaimer)
const Changelog = framed(async () => (await import('./Changelog.tsx')).Changelog)
const Reference = framed(async () => (await import('../reference/Reference.tsx')).Reference)
const Workspace = framed(async () => (await import('../workspace/Workspace.tsx')).Workspace)
const Recent = importedPart(
  () => import('../workspace/Recent.tsx'),
  module => module.Recent,
)
const Project = importedPart(
  () => import('../workspace/Project.tsx'),
  module => module.Project,
)
const Shared = importedPart(
  () => import('../workspace/Shared.tsx'),
  module => module.Shared,
)
const Favourites = importedPart(
  () => import('../workspace/Favourites.tsx'),
  module => module.Favourites,
)
const Library = importedPart(
  () => import('../workspace/Library.tsx'),
  module => module.Library,
)
const Trash = importedPart(
  () => import('../workspace/Trash.tsx'),
  module => module.Trash,
)
const Members = importedPart(
  () => import('../workspace/team/Members.tsx'),
  module => module.Members,
)
const SpaceSettings = importedPart(
  () => import('../workspace/team/SpaceSettings.tsx'),
  module => module.SpaceSettings,
)
const Account = framed(async () => (await import('../billing/Account.tsx')).Account)
const Subscription = importedPart(
  () => import('../billing/Subscription.tsx'),
  module => module.Subscription,
)
const Checkout = framed(async () => (await import('../billing/Checkout.tsx')).Checkout)
const Success = framed(async () => (await import('../billing/Success.tsx')).Success)
const ItemShop = importedPart(
  () => import('../billing/Shop.tsx'),
  module => module.Shop,
)
const Coins = importedPart(
  () => import('../billing/Coins.tsx'),
  module => module.Coins,
)
const Invoices = importedPart(
  () => import('../billing/Invoices.tsx'),
  module => module.Invoices,
)
const Promotion = importedPart(
  () => import('../billing/Promotion.tsx'),
  module => module.Promotion,
)
const CopilotSettings = importedPart(
  () => import('../copilot/settings/CopilotSettings.tsx'),
  module => module.CopilotSettings,
)
const Invitation = framed(async () => (await import('../workspace/team/Invitation.tsx')).Invitation)
const Learn = framed(async () => (await import('../tutorials/Begin.tsx')).Begin)
const Modeling = importedPart(
  () => import('./Modeling.tsx'),
  module => module.Modeling,
)
const Viewer = framed(async () => (await import('./Viewer.tsx')).Viewer)
const Store = framed(async () => (await import('../store/Store.tsx')).Store)
const Shelf = importedPart(
  () => import('../store/Shelf.tsx'),
  module => module.Shelf,
)
const AppPage = importedPart(
  () => import('../store/AppPage.tsx'),
  module => module.AppPage,
)
const AuthorPage = importedPart(
  () => import('../store/AuthorPage.tsx'),
  module => module.AuthorPage,
)
const Mine = importedPart(
  () => import('../store/Mine.tsx'),
  module => module.Mine,
)
const Forum = importedPart(
  () => import('../store/talk/Forum.tsx'),
  module => module.Forum,
)
const ForumThread = importedPart(
  () => import('../store/talk/Forum.tsx'),
  module => module.ForumThread,
)
const Moderation = importedPart(
  () => import('../store/talk/Moderation.tsx'),
  module => module.Moderation,
)
const EmbedApp = framed(async () => (await import('../store/EmbedApp.tsx')).EmbedApp)
const Embed = importedPart(
  () => import('./Embed.tsx'),
  module => module.Embed,
)
const ShareModel = importedPart(
  () => import('./ShareModel.tsx'),
  module => module.ShareModel,
)

/** Where to go after signing in. */
const invitationSchema = z.object({
  invitation: z.pipe(
    z.string(),
    z.transform(code => code.slice(0, 100)),
  ),
})
const emailSchema = z.object({ email: z.string() })

type Return = { to?: string }
const readReturn = (search: Record<string, unknown>): Return => {
  const to = safePath(search['to'])
  return to === null ? {} : { to }
}

const root = createRootRoute({
  component: () => (
    <Suspense fallback={<PageLoading />}>
      <Outlet />
    </Suspense>
  ),
  errorComponent: ({ error }: ErrorComponentProps) => <MishapPage error={error instanceof Error ? error : new Error(String(error))} />,
  notFoundComponent: () => null,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/workspace/recent' })
  },
})
const login = createRoute({ getParentRoute: () => root, path: '/login', component: Login, validateSearch: readReturn })
const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  component: Register,
  // With the code of an invitation link, if any.
  validateSearch: (search: Record<string, unknown>): Return & { invitation?: string } => ({
    ...readReturn(search),
    ...readValue(invitationSchema, search),
  }),
})
const forgot = createRoute({ getParentRoute: () => root, path: '/forgotpassword', component: Forgot })
const activateEntry = createRoute({
  getParentRoute: () => root,
  path: '/activate_account',
  component: Activate,
  validateSearch: (search: Record<string, unknown>): { email?: string } => readValue(emailSchema, search) ?? {},
})
const activate = createRoute({ getParentRoute: () => root, path: '/activate_account/$code', component: Activate })
const disclaimer = createRoute({ getParentRoute: () => root, path: '/legal/disclaimer', component: Disclaimer })
const docs = createRoute({ getParentRoute: () => root, path: '/docs', component: Reference })
const unknown = createRoute({
  getParentRoute: () => root,
  path: '/$',
  beforeLoad: ({ location }) => {
    throw redirect({ href: knownPath(location.pathname) })
  },
})

const guarded = createRoute({
  getParentRoute: () => root,
  id: 'private',
  component: Private,
  beforeLoad: ({ location }) => {
    const { me, onDevice } = identity.getState()
    if (me === null && !onDevice) throw redirect({ to: '/login', search: { to: location.href } })
  },
})

const workspace = createRoute({ getParentRoute: () => guarded, path: '/workspace', component: Workspace })
const workspaceHome = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/workspace/recent' })
  },
})
const recent = createRoute({ getParentRoute: () => workspace, path: '/recent', component: Recent })
const shared = createRoute({ getParentRoute: () => workspace, path: '/share', component: Shared })
const team = createRoute({
  getParentRoute: () => workspace,
  path: '/$teamCode',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/workspace/$teamCode/project', params })
  },
})
const project = createRoute({ getParentRoute: () => workspace, path: '/$teamCode/project', component: Project })
const folder = createRoute({ getParentRoute: () => workspace, path: '/$teamCode/project/$pId', component: Project })
const favourites = createRoute({ getParentRoute: () => workspace, path: '/favourites', component: Favourites })
const library = createRoute({ getParentRoute: () => workspace, path: '/$teamCode/library', component: Library })
const trash = createRoute({ getParentRoute: () => workspace, path: '/$teamCode/trash', component: Trash })

const member = createRoute({ getParentRoute: () => workspace, path: '/$teamCode/member', component: Members })
const setting = createRoute({ getParentRoute: () => workspace, path: '/$teamCode/setting', component: SpaceSettings })

/** Payments and purchases. */
const account = createRoute({ getParentRoute: () => guarded, path: '/account', component: Account })
const accountHome = createRoute({
  getParentRoute: () => account,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/account/subscription' })
  },
})
const subscription = createRoute({ getParentRoute: () => account, path: '/subscription', component: Subscription })
const shop = createRoute({ getParentRoute: () => account, path: '/shop', component: ItemShop })
const coins = createRoute({ getParentRoute: () => account, path: '/coins', component: Coins })
const invoices = createRoute({ getParentRoute: () => account, path: '/invoices', component: Invoices })
const promotion = createRoute({ getParentRoute: () => account, path: '/promotion', component: Promotion })
const copilotSettings = createRoute({ getParentRoute: () => account, path: '/copilot', component: CopilotSettings })
const checkout = createRoute({ getParentRoute: () => guarded, path: '/account/checkout/$order', component: Checkout })
const success = createRoute({ getParentRoute: () => guarded, path: '/account/success/$order', component: Success })

const teamInvite = createRoute({ getParentRoute: () => guarded, path: '/team_invite/$code', component: Invitation })
const collaboratorInvite = createRoute({ getParentRoute: () => guarded, path: '/invite_collaborator/$code', component: Invitation })
/** Every sort of file in its editor; the kind in the address is used until the lists are loaded. */
const modeling = createRoute({
  getParentRoute: () => guarded,
  path: '/modeling/$teamCode/$modelId',
  component: () => <Modeling kind="model" />,
})
const file = createRoute({ getParentRoute: () => guarded, path: '/file/$teamCode/$modelId', component: () => <Viewer /> })
const lib = createRoute({ getParentRoute: () => guarded, path: '/lib/$teamCode/$blockId', component: () => <Modeling kind="block" /> })
const starBlock = createRoute({
  getParentRoute: () => guarded,
  path: '/star_block/$teamCode/$blockId',
  component: () => <Viewer starred />,
})
const experimenting = createRoute({
  getParentRoute: () => guarded,
  path: '/experimenting/$teamCode/$experimentId',
  component: () => <Modeling kind="experiment" />,
})
const chart = createRoute({
  getParentRoute: () => guarded,
  path: '/chart/$teamCode/$chartId',
  component: () => <Modeling kind="chart" />,
})
const store = createRoute({ getParentRoute: () => guarded, path: '/store', component: Store })
const storeHome = createRoute({
  getParentRoute: () => store,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/store/recommend/app' })
  },
})
const storeShelf = createRoute({ getParentRoute: () => store, path: '/recommend/app', component: Shelf, validateSearch: readSearch })
const storeApp = createRoute({ getParentRoute: () => store, path: '/recommend/app/$appId', component: AppPage, validateSearch: readBy })
const storeAuthor = createRoute({ getParentRoute: () => store, path: '/author/$profileId', component: AuthorPage })
const storeMine = createRoute({ getParentRoute: () => store, path: '/mine', component: Mine })
const storeForum = createRoute({ getParentRoute: () => store, path: '/forum', component: Forum })
const storeThread = createRoute({ getParentRoute: () => store, path: '/forum/$threadId', component: ForumThread })
const storeModeration = createRoute({ getParentRoute: () => store, path: '/moderation', component: Moderation })
/** The same screens with dashboards alone. */
const boards = createRoute({ getParentRoute: () => guarded, path: '/dashboard', component: Store })
const boardsHome = createRoute({
  getParentRoute: () => boards,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/recommend/app' })
  },
})
const boardsShelf = createRoute({ getParentRoute: () => boards, path: '/recommend/app', component: Shelf, validateSearch: readSearch })
const boardsApp = createRoute({ getParentRoute: () => boards, path: '/recommend/app/$appId', component: AppPage, validateSearch: readBy })
const boardsAuthor = createRoute({ getParentRoute: () => boards, path: '/author/$profileId', component: AuthorPage })
const embeddedApp = createRoute({ getParentRoute: () => root, path: '/embed_marketapp/$appId', component: () => <EmbedApp /> })
const testedApp = createRoute({ getParentRoute: () => root, path: '/embed_test_marketapp/$appId', component: () => <EmbedApp draft /> })
const embed = createRoute({ getParentRoute: () => root, path: '/embed/$code', component: Embed })
const embeddedDashboard = createRoute({ getParentRoute: () => root, path: '/dashboard/embed/$code', component: Embed })
const embeddedChart = createRoute({ getParentRoute: () => root, path: '/chart/embed/$code', component: Embed })
/** A link to a model needs no account for viewing and running. */
const shareModel = createRoute({ getParentRoute: () => root, path: '/share/model/$code', component: ShareModel })
/** A tutorial, in a new model. */
const learn = createRoute({ getParentRoute: () => guarded, path: '/learn/$lesson', component: Learn })
const changelog = createRoute({ getParentRoute: () => guarded, path: '/changelog', component: Changelog })

const tree = root.addChildren([
  home,
  login,
  register,
  forgot,
  activateEntry,
  activate,
  disclaimer,
  docs,
  embed,
  embeddedDashboard,
  embeddedChart,
  shareModel,
  embeddedApp,
  testedApp,
  guarded.addChildren([
    store.addChildren([storeHome, storeShelf, storeApp, storeAuthor, storeMine, storeForum, storeThread, storeModeration]),
    boards.addChildren([boardsHome, boardsShelf, boardsApp, boardsAuthor]),
    workspace.addChildren([workspaceHome, recent, shared, favourites, team, project, folder, library, trash, member, setting]),
    account.addChildren([accountHome, subscription, shop, coins, invoices, promotion, copilotSettings]),
    checkout,
    success,
    teamInvite,
    collaboratorInvite,
    modeling,
    file,
    lib,
    starBlock,
    experimenting,
    chart,
    changelog,
    learn,
  ]),
  unknown,
])

export const router = createRouter({ routeTree: tree, defaultPreload: false, scrollRestoration: true })

// A file is on its way from the click on, before anything of its page is here.
router.subscribe('onBeforeNavigate', ({ toLocation }) => void (showsModel(toLocation.pathname) ? keepKey() : forgetKey()))

/** Fetches what the page at a path begins with, so that it is there when it is first drawn, and begins to read what it shows. */
export async function fetchAhead(path: string): Promise<void> {
  if (!showsModel(path)) return
  keepKey()
  const reading = import('./Modeling.tsx').then(({ readFileAhead }) => readFileAhead(path))
  await Promise.all([reading, Modeling.ahead(), ModelEditor.ahead()])
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** The same guard while a page is shown: a session may end, or another tab sign out. */
function Private() {
  const { me, onDevice } = useIdentity()
  const nobody = me === null && !onDevice
  useEffect(() => {
    if (nobody) void router.navigate({ to: '/login', search: readReturn({ to: router.state.location.href }) })
  }, [nobody])
  return nobody ? null : <Outlet />
}
