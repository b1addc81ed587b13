// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {Book} from "../../../src/Book.sol";
import {Lots, Tick} from "../../../src/ValueTypes.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IBook, OrderRequest, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {ISpot, ISpotEvents} from "../../../src/interfaces/ISpot.sol";
import {IEngine} from "../../invariant/BookReplay.sol";
import {SpotReplay} from "./SpotReplay.sol";

/// Plays random traders on two markets that share their quote token.
contract SpotHandler is SpotReplay {
    /// Ticks are on both sides of a boundary of the tick set's uppermost words.
    uint24 private constant CENTER = 3 << 16;
    uint24 private constant SPREAD = 4; // narrow, so that queues get long

    DevToken[3] private _tokens;

    constructor(
        Accounts accounts_,
        ISpot spot_,
        address[2] memory owners,
        DevToken[3] memory tokens_,
        uint256[2] memory houseSecrets
    ) {
        (accounts, spot, engine) = (accounts_, spot_, IEngine(address(spot_)));
        (_owner, _guardian) = (owners[0], owners[1]);
        _tokens = tokens_;
        _assets = [address(tokens_[0]), address(tokens_[1]), address(tokens_[2])];
        // The worst of each, as this handler measures it (3,000 dearer than it is): a placement is
        // the first to use a set's words; a step meets a maker whose balance was zero and whose
        // level's three words all empty; a cancel pays back into a balance of zero and looks for
        // the next best tick.
        _gasBounds = GasBounds({place: 178_000, step: 52_000, cancel: 90_000});
        vm.recordLogs();
        _startReplay();
        _startActors(houseSecrets);
        _startSigned();
        // The last wallet begins without money, and so do the sub-accounts.
        for (uint256 i = 0; i < 6; i++) {
            for (uint256 j = 0; j < 3; j++) {
                _deposit(_actors[i].wallet, _tokens[j], 1e24);
            }
        }
    }

    /* ORDERS */

    function _request(uint40) internal override returns (OrderRequest memory request) {
        request.market = _anyMarket();
        request.buy = _oneIn(2);
        // Most are near the middle; some are far enough to need other words of the set.
        uint24 distance = uint24(1 + _roll(_oneIn(8) ? 1 << 15 : SPREAD));
        bool passive = !_oneIn(4);
        request.tick = Tick.wrap(request.buy == passive ? CENTER - distance : CENTER + distance);
        request.lots = Lots.wrap(uint64(_between(1, 500)));
        request.timeInForce = _oneIn(2) ? TimeInForce.GTC : TimeInForce(_roll(4));
        if (_oneIn(4)) request.goodTil = uint40(block.timestamp + 3 + _roll(60));
        if (_oneIn(4)) request.maxFills = uint16(1 + _roll(4));
        if (_oneIn(50)) request.reduceOnly = true;
    }

    function _remember(uint40, uint32) internal override {}

    function _gasOfOthers(uint32) internal pure override returns (uint256) {
        return 0;
    }

    function _expectPlaced(uint40, OrderRequest memory, uint40) internal override {
        seen["placed"] += 1;
    }

    function _expectRefused(OrderRequest memory request, bytes4 rule) internal override {
        Book.StateView memory state = engine.stateOf(request.market);
        uint24 tick = Tick.unwrap(request.tick);
        bool crosses = request.buy ? tick >= state.bestAsk : tick <= state.bestBid;
        bool earned = rule == ILedger.BalanceTooLow.selector
            || (rule == ISpotEvents.ReduceOnlyAtSpot.selector && request.reduceOnly)
            || (rule == IBook.MarketHalted.selector
                && _halted[request.market]
                && !request.reduceOnly)
            || (rule == IBook.PostOnlyWouldCross.selector
                && request.timeInForce == TimeInForce.POST_ONLY
                && crosses)
            || (rule == IBook.FillOrKillUnfillable.selector
                && request.timeInForce == TimeInForce.FOK)
            || (rule == IBook.GoodTilTooEarly.selector && _isTooEarly(request))
            || rule == IBook.OrderValueBelowMinimum.selector
            || rule == IBook.OrderValueAboveMaximum.selector;
        if (!earned) {
            vm.assertEq(bytes32(rule), bytes32(0), "an order is refused only for what it is");
        }
        seen["refused"] += 1;
    }

    /// Half way between the best ticks.
    function _markOf(uint32 market) internal view override returns (uint256) {
        if (market > MARKETS) return 0;
        Book.StateView memory state = engine.stateOf(market);
        (uint256 priceStep,) = _stepsOf(market);
        (int256 average, uint256 elapsed) =
            (int256(uint256(state.averageTick)), block.timestamp - state.changedTime);
        if (elapsed != 0 && state.bestBid != NONE_BELOW && state.bestAsk != NONE_ABOVE) {
            int256 mid = 128 * (int256(uint256(state.bestBid)) + int256(uint256(state.bestAsk)));
            int256 away = mid < average ? average - mid : mid - average;
            away -= away * 60 / int256(elapsed + 60); // the remainder is truncated
            average = average == 0 ? mid : mid < average ? average - away : average + away;
        }
        return uint256(average) * priceStep / 256;
    }

    /* MONEY */

    function deposit(uint256 seed) external seeded(seed) {
        _deposit(_anyWallet().wallet, _tokens[_roll(3)], _between(1, 1e24));
    }

    function _deposit(address from, DevToken token, uint256 amount) private {
        _beforeFlow(address(token));
        token.mint(from, amount);
        vm.prank(from);
        token.approve(address(spot), amount);
        vm.prank(from);
        spot.deposit(address(token), amount);
        _noteIn(address(token), amount);
        _replay();
    }

    /// A withdrawal of free funds succeeds in every state, halted or not, within the hour's limit.
    function withdraw(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyWallet();
        address token = _assets[_roll(3)];
        uint256 balance = spot.balanceOf(actor.account, token);
        if (balance == 0) return;
        // Often all of it, so that traders also run out of money.
        uint256 amount = _oneIn(2) ? balance : _between(1, balance);
        _beforeFlow(token);
        vm.prank(actor.wallet);
        try spot.withdraw(token, amount, address(0xDEAD)) {
            _replay();
            _noteOut(token, amount);
            seen["withdrawn"] += 1;
        } catch (bytes memory reason) {
            _forget();
            vm.assertTrue(_isOfLimit(token, amount, bytes4(reason)), "what is free can leave");
        }
    }

    function _anyToken() internal override returns (address) {
        return _assets[_roll(3)];
    }

    /// Only free funds leave.
    function overdraw(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyWallet();
        address token = _assets[_roll(3)];
        uint256 amount = spot.balanceOf(actor.account, token) + 1;
        vm.prank(actor.wallet);
        try spot.withdraw(token, amount, address(0xDEAD)) {
            vm.assertTrue(false, "more is withdrawn than is free");
        } catch {
            _forget();
        }
    }

    function transfer(uint256 seed) external seeded(seed) {
        (Actor memory from, Actor memory to, address token) =
            (_anyWallet(), _anyActor(), _assets[_roll(3)]);
        uint256 balance = spot.balanceOf(from.account, token);
        if (balance == 0) return;
        bool foreign = to.sub && _ownerOf(to) != from.wallet;
        vm.prank(from.wallet);
        try spot.transfer(token, to.wallet, _between(1, balance)) {
            vm.assertFalse(foreign, "only its owner funds a sub-account");
            _replay();
            seen["transferred"] += 1;
        } catch {
            vm.assertTrue(foreign, "what is free can be given");
            _forget();
        }
    }

    function collect(uint256 seed) external seeded(seed) {
        (Actor memory sub, Actor memory to, address token) =
            (_anySub(), _anyWallet(), _assets[_roll(3)]);
        if (_oneIn(2)) to.wallet = _ownerOf(sub);
        uint256 balance = spot.balanceOf(sub.account, token);
        if (balance == 0) return;
        vm.prank(to.wallet);
        try spot.collect(token, sub.wallet, _between(1, balance)) {
            vm.assertTrue(_ownerOf(sub) == to.wallet, "only its owner collects from a sub-account");
            _replay();
            seen["collected"] += 1;
        } catch {
            vm.assertTrue(_ownerOf(sub) != to.wallet, "an owner can collect what is free");
            _forget();
        }
    }

    /* THE WORLD */

    function wait_(uint256 seed) external seeded(seed) {
        vm.warp(block.timestamp + (_oneIn(50) ? _roll(3 days) : _roll(30)));
    }

    /// The guardian stops a market immediately, for three days of every six.
    function halt(uint256 seed) external seeded(seed) {
        (uint32 market, bool halts) = (_anyMarket(), _oneIn(12));
        address sender = _oneIn(3) ? _guardian : _owner;
        bytes32 thing = bytes32(uint256(market));
        bool may = sender == _owner || _mayTurn(thing, halts, spot.unitsOf(market).halted);
        vm.prank(sender);
        try spot.halt(market, halts) {
            vm.assertTrue(may, "a guardian's halt lasts three days, and comes back after as many");
            _noteTurn(thing, halts, sender == _owner);
            _replay();
        } catch {
            vm.assertFalse(may, "the owner halts, and the guardian for a time");
            _forget();
        }
    }

    /// Changes the bounds of an order's value: resting orders stay.
    function change(uint256 seed) external seeded(seed) {
        vm.prank(_owner);
        spot.change(_anyMarket(), uint128(_between(1e6, 3e6)), uint128(_between(50, 1e6) * 1e6));
        _replay();
        seen["changed"] += 1;
    }

    /* THE WHOLE STATE */

    function check() external view {
        _checkCustody();
        for (uint40 account = 1; account <= accountCount(); account++) {
            _compareAccount(account);
        }
        for (uint32 market = 1; market <= MARKETS; market++) {
            _checkBook(market);
        }
        _checkKeys();
    }

    /// For each token: sum of balances + sum of escrow of resting orders == tokens held.
    function _checkCustody() private view {
        uint256[3] memory sums;
        for (uint256 i = 0; i < 3; i++) {
            for (uint40 account = 1; account <= accountCount(); account++) {
                sums[i] += spot.balanceOf(account, _assets[i]);
            }
            for (uint32 market = 1; market <= MARKETS; market++) {
                sums[i] += _escrowIn(market, _assets[i]);
            }
            vm.assertEq(
                sums[i],
                _tokens[i].balanceOf(address(spot)),
                "sum of balances and escrow != tokens held"
            );
        }
    }

    /// The raw units of `token` that the resting orders in storage hold.
    function _escrowIn(uint32 market, address token) private view returns (uint256 sum) {
        (address base, address quote) = spot.tokensOf(market);
        if (token != base && token != quote) return 0;
        Book.Units memory units = spot.unitsOf(market);
        uint40[] storage live = _live[market];
        for (uint256 i = 0; i < live.length; i++) {
            Book.Order memory order = engine.orderAt(market, live[i]);
            bool buy = Book.isBuy(order);
            if ((buy ? quote : base) != token) continue;
            sum += Lots.unwrap(order.lots)
            * (buy ? uint256(Tick.unwrap(order.tick)) * units.quotePerLotTick : units.amountStep);
        }
    }

    /// At the end of a run: no signature works twice, every order can be taken down, all money can
    /// leave.
    function finish() external seeded(1) {
        _resendAll();
        for (uint32 market = 1; market <= MARKETS; market++) {
            for (uint256 i = _live[market].length; i != 0; i--) {
                _cancelOne(market, _live[market][i - 1]);
            }
        }
    }
}
