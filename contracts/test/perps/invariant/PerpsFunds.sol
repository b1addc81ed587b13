// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPerpsEvents} from "../../../src/interfaces/IPerps.sol";
import {Distress} from "./Distress.sol";

/// Deposits, withdraws and moves collateral at random, and sets leverages.
abstract contract PerpsFunds is Distress {
    function deposit(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyWallet();
        uint256 most = actor.account == 3 || actor.account == 4 ? 20_000e6 : 3_000e6;
        if (actor.account != 1 || _oneIn(4)) _deposit(actor.wallet, _between(1, most));
    }

    function _deposit(address wallet, uint256 amount) internal {
        _beforeFlow(address(usdc));
        usdc.mint(wallet, amount);
        vm.prank(wallet);
        usdc.approve(address(perps), amount);
        vm.prank(wallet);
        perps.deposit(address(usdc), amount);
        _noteIn(address(usdc), amount);
        _replay();
    }

    /// A deposit is taken up to the last unit below the caps of the token and of the account, and
    /// no unit above.
    function capDeposits(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyWallet();
        (uint256 amount, uint256 total) = (_between(1, 1_000e6), _roll(2_000e6));
        int256 after_ = _collateral[actor.account] + int256(amount) * SCALE;
        uint256 own = after_ > 0 ? uint256(after_ / SCALE) : 0;
        uint256 each = _oneIn(3) ? own : _between(own > 500e6 ? own - 500e6 : 0, own + 500e6);
        uint256 held = usdc.balanceOf(address(perps)) + amount;
        total = _oneIn(3) ? held : held - amount + total;
        _cap(total, each);
        vm.prank(_guardian);
        try perps.setDepositCap(address(usdc), uint96(total) + 1, uint96(each)) {
            vm.assertTrue(false, "the guardian raises no cap");
        } catch {}
        bool fits = actor.account <= 2 || (held <= total && own <= each);
        _beforeFlow(address(usdc));
        usdc.mint(actor.wallet, amount);
        vm.prank(actor.wallet);
        usdc.approve(address(perps), amount);
        _forget();
        vm.prank(actor.wallet);
        try perps.deposit(address(usdc), amount) {
            vm.assertTrue(fits, "no deposit is taken above a cap");
            _noteIn(address(usdc), amount);
            _replay();
            seen["deposited below a cap"] += 1;
        } catch {
            vm.assertFalse(fits, "all that is below the caps is taken");
            _forget();
            seen["deposit above a cap"] += 1;
        }
        _cap(type(uint96).max, type(uint96).max);
    }

    function _cap(uint256 total, uint256 each) private {
        vm.prank(_owner);
        perps.setDepositCap(address(usdc), uint96(total), uint96(each));
        _forget();
    }

    function _insure(uint256 amount) internal override {
        _deposit(_actors[0].wallet, amount);
    }

    /// Tokens sent without a deposit belong to no account.
    function donate(uint256 seed) external seeded(seed) {
        uint256 amount = _roll(1e6);
        _beforeFlow(address(usdc));
        _noteIn(address(usdc), amount);
        usdc.mint(address(perps), amount);
        _donated += int256(amount) * SCALE;
    }

    /// The raw units that may leave: collateral, while equity stays above initial margin and a
    /// tenth of the notional.
    function _withdrawable(uint40 account) private view returns (uint256) {
        Health memory health = _healthOf(account);
        int256 tenth = _ceilDiv(health.notional, 10);
        int256 kept = health.initialMargin > tenth ? health.initialMargin : tenth;
        int256 spare = _min(health.equity - kept, _collateral[account]);
        return spare > 0 ? uint256(spare / SCALE) : 0;
    }

    /// A withdrawal of free funds succeeds, halted or stale, and exactly of those. With positions
    /// it needs a fresh index.
    function withdraw(uint256 seed) external seeded(seed) {
        if (_oneIn(2)) _push();
        if (_oneIn(2)) vm.warp(block.timestamp + 10);
        Actor memory actor = _anyWallet();
        uint256 free = _withdrawable(actor.account);
        uint256 amount = _oneIn(4) ? free : _oneIn(3) ? free + 1 : _between(0, free / 20);
        if (amount == 0) return;
        bool stale = _healthOf(actor.account).stale;
        _beforeFlow(address(usdc));
        vm.prank(actor.wallet);
        try perps.withdraw(address(usdc), amount, actor.wallet) {
            _replay();
            _noteOut(address(usdc), amount);
            vm.assertLe(amount, free, "what leaves was free");
            vm.assertFalse(stale, "no withdrawal on a stale index");
            vm.assertFalse(_isShut(0), "nothing leaves beside a loss, or after a move");
            _expectMargin(actor.account);
            seen[amount == free ? "withdrawn all" : "withdrawn"] += 1;
        } catch (bytes memory reason) {
            _forget();
            if (amount <= usdc.balanceOf(address(perps))) {
                _expectKept(amount, free, stale || _isShut(0), bytes4(reason));
            } else {
                _expectShort(bytes4(reason));
            }
        }
    }

    /// While an account owes, another may have more than the engine holds.
    function _expectShort(bytes4 rule) private {
        bool panics = rule == bytes4(keccak256("Panic(uint256)"));
        vm.assertTrue(rule != 0 && !panics, "what the engine does not hold is refused by name");
        seen["more than the engine holds"] += 1;
    }

    /// Nothing leaves for 10 s after a price has moved far, nor while a loss is flagged.
    function _isShut(uint40 to) private view returns (bool) {
        return to != 1 && (_flagged != 0 || block.timestamp < oracle.movedTime() + 10);
    }

    function _anyToken() internal view override returns (address) {
        return address(usdc);
    }

    function _expectMargin(uint40 account) private view {
        Health memory health = _healthOf(account);
        vm.assertGe(health.equity, health.initialMargin, "initial margin after a withdrawal");
        vm.assertGe(
            health.equity * 10, health.notional, "a tenth of the notional after a withdrawal"
        );
    }

    function _expectKept(uint256 amount, uint256 free, bool kept, bytes4 rule) private {
        if (_isOfLimit(address(usdc), amount, rule)) return;
        bool earned = rule == IPerpsEvents.IndexStale.selector
            || rule == IPerpsEvents.PriceMoved.selector
            || rule == IPerpsEvents.LossUncovered.selector;
        vm.assertTrue((earned && kept) || amount > free, "free funds can leave");
        seen["withdrawal refused"] += 1;
    }

    function transfer(uint256 seed) external seeded(seed) {
        (Actor memory from, Actor memory to) = (_anyWallet(), _anyActor());
        uint256 free = _withdrawable(from.account);
        uint256 amount = _between(1, _oneIn(4) ? free + 1 : 500e6);
        bool foreign = to.sub && _ownerOf(to) != from.wallet;
        bool stale = _healthOf(from.account).stale;
        vm.prank(from.wallet);
        try perps.transfer(address(usdc), to.wallet, amount) {
            _replay();
            vm.assertFalse(foreign, "only its owner funds a sub-account");
            vm.assertTrue(amount <= free && !stale, "what leaves was free");
            vm.assertFalse(_isShut(to.account), "nothing leaves beside a loss");
            _expectMargin(from.account);
            seen["transferred"] += 1;
        } catch (bytes memory reason) {
            _forget();
            if (!foreign) {
                _expectKept(amount, free, stale || _isShut(to.account), bytes4(reason));
            }
        }
    }

    function collect(uint256 seed) external seeded(seed) {
        (Actor memory sub, address sender) = (_anySub(), _anyWallet().wallet);
        if (_oneIn(2)) sender = _ownerOf(sub);
        uint256 free = _withdrawable(sub.account);
        uint256 amount = _between(1, free + 1);
        bool stale = _healthOf(sub.account).stale;
        vm.prank(sender);
        try perps.collect(address(usdc), sub.wallet, amount) {
            _replay();
            vm.assertTrue(_ownerOf(sub) == sender, "only its owner collects from a sub-account");
            vm.assertTrue(amount <= free && !stale, "what leaves was free");
            vm.assertFalse(_isShut(0), "nothing leaves beside a loss");
            _expectMargin(sub.account);
            seen["collected"] += 1;
        } catch (bytes memory reason) {
            _forget();
            if (_ownerOf(sub) == sender) {
                _expectKept(amount, free, stale || _isShut(0), bytes4(reason));
            }
        }
    }

    function setLeverage(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyActor();
        address sender = _senderOf(actor);
        if (sender == address(0)) return;
        (uint32 market, uint16 leverage) = (_anyMarket(), uint16(_oneIn(4) ? _roll(24) : 0));
        int256 before = _healthOf(actor.account).initialMargin;
        vm.prank(sender);
        try perps.setLeverage(market, leverage) {
            _replay();
            Health memory health = _healthOf(actor.account);
            // A higher initial margin must be covered.
            if (health.initialMargin > before) {
                vm.assertGe(
                    health.equity,
                    health.initialMargin,
                    "initial margin after lowering the leverage"
                );
            }
            seen["leverage"] += 1;
        } catch {
            _forget();
        }
    }
}
